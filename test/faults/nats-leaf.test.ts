// A leaf node of the bus, made by `gantry nats-leaf` and the guide: commands, revocations and a crash.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, credsAuthenticator } from '@nats-io/transport-node';
import type { components } from '../../generated/platform.d.ts';
import { runCommand } from '../../src/embedded/run-command.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { root } from '../support/contract.ts';
import { freePort } from '../support/free-port.ts';
import { fromGuide, killed, NatsCluster, startNatsServer } from '../support/nats-cluster.ts';

import { power } from '../support/power.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let cluster: NatsCluster;
let world: World;
let tenant: Tenant;
let directory: string;
let place: string;
let port: number;
let leaf: ChildProcess;
let agent: AgentProcess;
let instance: Schemas['GameInstance'];

beforeAll(async () => {
  cluster = await NatsCluster.start();
  world = await World.create({ nats: cluster.bus, heartbeatIntervalSeconds: 2 });
  tenant = await world.createTenant();
  directory = mkdtempSync(join(tmpdir(), 'gantry-leaf-'));
  place = join(directory, 'region');
  port = await freePort();
  await writeFiles();
  await startLeaf();
  agent = new AgentProcess(mkdtempSync(join(directory, 'agent-')));
  agent.configure([{}], { bus_urls: [`nats://127.0.0.1:${port}`] });
  agent.start({ GANTRY_URL: world.url, GANTRY_COMPANION_TOKEN: tenant.license.companion_token });
  instance = await until(async () => {
    const { body } = await world.call('get', '/api/fleet/instances', tenant.owner).expect(200);
    return (body as Schemas['GameInstancePage']).data.find(({ state }) => state !== 'offline');
  }, 'the instance');
});

afterAll(async () => {
  await agent.end('SIGKILL');
  await killed(leaf);
  await world.close();
  rmSync(directory, { recursive: true });
});

/** As an operator does. */
async function writeFiles(): Promise<void> {
  const keysFile = join(directory, 'keys.json');
  writeFileSync(keysFile, JSON.stringify(cluster.bus.keys), { mode: 0o600 });
  const args = ['src/gantry.ts', 'nats-leaf', place, ...cluster.leafUrls, '--place', place];
  const { code, stdout, stderr } = await runCommand(process.execPath, args, {
    cwd: root,
    env: { GANTRY_DATA_DIR: join(directory, 'data'), GANTRY_NATS_KEYS: keysFile },
  });
  expect([code, stderr]).toEqual([0, '']);
  const files = stdout.trim().split('\n');
  expect(files).toEqual(
    ['nats-gantry.conf', 'gantry.creds', 'system.creds'].map((name) => join(place, name)),
  );
  for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = fromGuide('server_name: nats-eu\n', [['"0.0.0.0:4222"', `"127.0.0.1:${port}"`]]);
  writeFileSync(join(place, 'nats.conf'), text);
}

async function startLeaf(): Promise<void> {
  // The authority of the test is none of the system's.
  leaf = await startNatsServer(join(place, 'nats.conf'), port, { SSL_CERT_FILE: cluster.authorityFile });
}

it('carries commands to the agents of its region', async () => {
  expect(agent.output).toContain(`"urls":["nats://127.0.0.1:${port}"]`);
  expect(await power('start', { world, tenant, instanceId: instance.id })).toBe('succeeded');
});

it('takes its agents back after a crash', async () => {
  await killed(leaf);
  await startLeaf();
  expect(await power('stop', { world, tenant, instanceId: instance.id })).toBe('succeeded');
  expect(agent.starts()).toHaveLength(1);
});

it.each(['gantry.creds', 'system.creds'])('has credentials that no client can use: %s', async (file) => {
  const authenticator = credsAuthenticator(readFileSync(join(place, file)));
  for (const servers of [cluster.bus.url.split(','), `nats://127.0.0.1:${port}`])
    await expect(connect({ servers, authenticator, reconnect: false })).rejects.toThrow(/uthoriz/);
});

it('cuts off a host whose key is reset', async () => {
  await world.call('post', `/api/fleet/hosts/${instance.host_id}/reset-key`, tenant.owner).expect(200);
  await agent.untilOutput('User Authentication Revoked');
});
