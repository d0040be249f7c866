// A cluster of three nats-servers, killed one after the other: agent and platform move, and each command is carried out once.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { NatsCluster } from '../support/nats-cluster.ts';
import { power } from '../support/power.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let cluster: NatsCluster;
let world: World;
let tenant: Tenant;
let agent: AgentProcess;
let instanceId: string;

beforeAll(async () => {
  cluster = await NatsCluster.start();
  world = await World.create({ nats: cluster.bus, heartbeatIntervalSeconds: 2 });
  // Another process of the platform, which may be connected to another server than the first.
  await world.addReplica();
  tenant = await world.createTenant();
  agent = new AgentProcess(await mkdtemp(join(tmpdir(), 'gantry-cluster-agent-')));
  agent.configure([{}]);
  agent.start({ GANTRY_URL: world.url, GANTRY_COMPANION_TOKEN: tenant.license.companion_token });
  instanceId = await until(async () => (await instances())[0]?.id, 'the instance');
});

afterAll(async () => {
  await agent.end('SIGKILL');
  await world.close();
  await rm(agent.directory, { recursive: true, force: true });
});

async function instances(): Promise<Schemas['GameInstance'][]> {
  const { body } = await world.call('get', '/api/fleet/instances', tenant.owner).expect(200);
  return (body as Schemas['GameInstancePage']).data.filter(({ state }) => state !== 'offline');
}

it('carries out every command once, whichever server dies', async () => {
  for (let index = 0; index < cluster.size; index += 1) {
    await cluster.kill(index);
    expect(await power('start', { world, tenant, instanceId })).toBe('succeeded');
    expect(agent.starts()).toHaveLength(index + 1);
    expect(await power('stop', { world, tenant, instanceId })).toBe('succeeded');
    await cluster.startServer(index);
  }
  expect(await instances()).toHaveLength(1);
});

it('sees no outage of the host meanwhile', async () => {
  const { body } = await world.call('get', '/api/events?type=host.offline', tenant.owner).expect(200);
  expect((body as Schemas['EventPage']).data).toEqual([]);
});
