// The events `host.offline` and `instance.crashed`: hosts that go offline and game servers that crash, published once for each outage.
import { randomUUID } from 'node:crypto';
import { TestAgent } from '../support/agent.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type State = 'running' | 'crashed' | 'starting' | 'stopped';

let world: World;
let seq = 0;

beforeAll(async () => {
  world = await World.create({ roles: ['api', 'ingest'], heartbeatIntervalSeconds: 2 });
});

afterAll(async () => {
  await world.close();
});

const change = (agent: TestAgent, state: State) => ({
  v: 1,
  id: randomUUID(),
  instance: 'main',
  state,
  at: new Date().toISOString(),
  boot: agent.boot,
  seq: ++seq,
});
const report = (agent: TestAgent, state: State) => agent.request('instance-state', change(agent, state));

async function connected(own: Tenant): Promise<TestAgent> {
  const agent = await TestAgent.connect(world, own);
  await agent.hello(['main']);
  await beat(agent, 'running');
  return agent;
}

/** A heartbeat that has been stored. */
async function beat(agent: TestAgent, state: State): Promise<void> {
  const heartbeat = agent.heartbeat([{ name: 'main', state, uptime_seconds: 0 }]);
  agent.publish('heartbeat', heartbeat);
  const stored = () =>
    world.database.query('select from agent_host where id = $1 and heartbeat_seq = $2', [
      agent.hostId,
      heartbeat.seq,
    ]);
  await until(async () => (await stored()).length > 0, 'a heartbeat');
}

async function outagesOf({ license }: Tenant): Promise<string[][]> {
  const events = await world.database.query<{
    data: { reason: string; instances: { name: string }[] } | { instance_name: string };
  }>(
    `select type, data from event_log where license_id = $1 and type in ('host.offline', 'instance.crashed') order by seq`,
    [license.id],
  );
  return events.map(({ data }) =>
    'instances' in data
      ? [data.reason, ...data.instances.map(({ name }) => name)]
      : ['instance_crashed', data.instance_name],
  );
}

/** A platform that has just started does not yet take silence for an outage. */
const untilOutages = (own: Tenant, count: number) =>
  until(async () => (await outagesOf(own)).length >= count, `${count} outages`, 90_000);

it('is published once when a host says goodbye, and once when another falls silent', async () => {
  const own = await world.createTenant();
  const agent = await connected(own);
  const bye = { v: 1, sent_at: new Date().toISOString(), boot: agent.boot, reason: 'shutdown' };
  agent.publish('bye', bye);
  agent.publish('bye', bye);
  await untilOutages(own, 1);
  const silent = await connected(own);
  await world.database.query(
    `update agent_host set last_heartbeat_at = now() - interval '1 hour' where id = $1`,
    [silent.hostId],
  );
  await untilOutages(own, 2);
  expect(await outagesOf(own)).toEqual([
    ['host_goodbye', 'main'],
    ['host_silent', 'main'],
  ]);
});

it('is published once for each crash, however often and by whichever message it is reported', async () => {
  const own = await world.createTenant();
  const agent = await connected(own);
  const crash = change(agent, 'crashed');
  await agent.request('instance-state', crash);
  await agent.request('instance-state', crash);
  await beat(agent, 'crashed');
  // Its automatic restart fails too.
  await report(agent, 'starting');
  await report(agent, 'crashed');
  expect(await outagesOf(own)).toEqual([['instance_crashed', 'main']]);
  await report(agent, 'starting');
  await report(agent, 'running');
  await beat(agent, 'crashed');
  await report(agent, 'crashed');
  await beat(agent, 'stopped');
  await report(agent, 'stopped');
  expect(await outagesOf(own)).toEqual([
    ['instance_crashed', 'main'],
    ['instance_crashed', 'main'],
  ]);
});
