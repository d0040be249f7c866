// Operations of the area `fleet`, fed by heartbeats.
import { TestAgent } from '../support/agent.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let agent: TestAgent;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  agent = await TestAgent.connect(world, tenant, 'rust-01');
});

afterAll(async () => {
  await agent.close();
  await world.close();
});

const report = {
  name: 'main',
  game: 'rust',
  state: 'running' as const,
  uptime_seconds: 60,
  players: 7,
  max_players: 100,
  fps: 59.5,
  entities: 1000,
  map: 'Procedural Map',
};

async function instanceNamed(name: string) {
  const { body } = await world.call('get', '/api/fleet/instances?limit=100', tenant.owner).expect(200);
  return body.data.find((instance: { name: string }) => instance.name === name) as
    Record<string, unknown> | undefined;
}

describe('heartbeats', () => {
  it('bring the host online with its metrics and create its instances', async () => {
    agent.publish('heartbeat', agent.heartbeat([report]));
    const instance = await until(() => instanceNamed('main'), 'the instance');
    expect(instance).toMatchObject({ ...report, host_id: agent.hostId, cluster_id: null });
    const { body: host } = await world
      .call('get', `/api/fleet/hosts/${agent.hostId}`, tenant.owner)
      .expect(200);
    expect(host).toMatchObject({
      hostname: 'rust-01',
      status: 'online',
      cpu_percent: 10,
      memory_total_bytes: 2,
      agent_version: '0.0.0-test',
    });
    const { body: stats } = await world
      .call('get', `/api/fleet/instances/${String(instance['id'])}/stats`, tenant.owner)
      .expect(200);
    expect(stats.data).toEqual([
      expect.objectContaining({ players: 7, fps: 59.5, map: 'Procedural Map', state: 'running' }),
    ]);
    expect(
      await world.database.query('select hostname, server_name, is_connected from server_connection'),
    ).toEqual([{ hostname: 'rust-01', server_name: 'main', is_connected: true }]);
  });
});
