// A real agent that reaches the platform and its bus through a proxy that ends TLS, with an authority of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { busPath } from '../../src/bus/websocket-relay.ts';
import { createAuthority, type Authority } from '../support/certificates.ts';
import { TlsProxy } from '../support/tls-proxy.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';
import { AgentProcess } from './support/agent.ts';

type Instances = components['schemas']['GameInstancePage'];

let world: World;
let tenant: Tenant;
let directory: string;
let authority: Authority;
let other: Authority;
let proxy: TlsProxy;
/** The same platform behind a certificate of the other authority. */
let otherProxy: TlsProxy;
let agent: AgentProcess;
/** Where the platform sends agents to. */
const agentUrls: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-tls-'));
  authority = createAuthority(directory, 'Own authority');
  other = createAuthority(directory, 'Other authority');
  world = await World.create();
  tenant = await world.createTenant();
  const { url = '' } = await world.addReplica({ bus: { ...world.nats, agentUrls }, trustProxy: 1 });
  const port = () => Number(new URL(url).port);
  proxy = await TlsProxy.start(authority, port);
  otherProxy = await TlsProxy.start(other, port);
});

afterAll(async () => {
  await world.close();
  await proxy.close();
  await otherProxy.close();
  rmSync(directory, { recursive: true });
});

beforeEach(() => {
  agentUrls.splice(0, 1, `wss://${proxy.authority}${busPath}`);
  agent = new AgentProcess(mkdtempSync(join(directory, 'agent-')));
  agent.configure([{}], { hostname: basename(agent.directory) });
});

afterEach(() => agent.end('SIGKILL'));

const start = (trusted: string | undefined) =>
  agent.start({
    GANTRY_URL: `https://${proxy.authority}`,
    GANTRY_COMPANION_TOKEN: tenant.license.companion_token,
    ...(trusted !== undefined && { NODE_EXTRA_CA_CERTS: trusted }),
  });

it('carries out a command that comes through the proxy to an agent that trusts its authority', async () => {
  start(authority.file);
  const instance = await until(async () => {
    const { body } = await world.call('get', '/api/fleet/instances', tenant.owner);
    return (body as Instances).data.find(({ state }) => state !== 'offline');
  }, 'the instance').catch((error: unknown) => {
    throw new Error(agent.output, { cause: error });
  });
  const { body } = await world
    .call('post', `/api/instances/${instance.id}/start`, tenant.owner)
    .set('Prefer', 'wait=10')
    .expect(202);
  const id = (body as components['schemas']['Command']).id;
  await until(async () => {
    const { body } = await world.call('get', `/api/commands/${id}`, tenant.owner);
    return (body as components['schemas']['Command']).status === 'succeeded';
  }, 'the end of the command');
  expect(agent.starts()).toHaveLength(1);
  expect(proxy.upgraded).toEqual([busPath]);
  expect(agent.output).toContain(`"urls":["wss://${proxy.authority}${busPath}"]`);
  expect(agent.output).not.toContain('unencrypted');
});

it.each([
  ['knows no authority of its own', () => undefined],
  ['trusts another authority', () => other.file],
])('refuses the certificate, with words, where the agent %s', async (_title, trusted) => {
  start(trusted());
  await agent.untilOutput('the platform cannot be reached');
  expect(agent.output).toMatch(/the platform cannot be reached: [^"]*certificate/);
  expect(agent.output).toContain('NODE_EXTRA_CA_CERTS');
});

it('refuses the certificate of a bus, with words, that another authority signed', async () => {
  agentUrls.splice(0, 1, `wss://${otherProxy.authority}${busPath}`);
  start(authority.file);
  await agent.untilOutput('the bus cannot be reached').catch((error: unknown) => {
    throw new Error(agent.output, { cause: error });
  });
  const line = agent.output.split('\n').find((text) => text.includes('the bus cannot be reached'));
  expect(line).toMatch(/certificate/);
  expect(line).toContain('NODE_EXTRA_CA_CERTS');
  expect(otherProxy.upgraded).toEqual([]);
});
