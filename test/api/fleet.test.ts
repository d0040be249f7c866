// Operations of the area `fleet`, with data reported by agents: heartbeats, hello and bye, and state changes.
import { randomUUID } from 'node:crypto';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import type { Response } from 'supertest';
import type { components as busComponents } from '../../generated/agent-bus.d.ts';
import type { components } from '../../generated/platform.d.ts';
import { connectMonitor, TestAgent } from '../support/agent.ts';
import { openStatsPacking } from '../support/analytics.ts';
import { someId } from '../support/contract.ts';
import { createCluster, createHost, createInstance, dumpLicense } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type BusSchemas = busComponents['schemas'];
type Schemas = components['schemas'];
type Instance = Schemas['GameInstance'];
type Host = Schemas['AgentHost'];
type Report = BusSchemas['InstanceReport'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({
    heartbeatIntervalSeconds: 300,
    jobIntervals: { chores: { 'evaluate alerts': 3_600_000 } },
  });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const report: Report = {
  name: 'main',
  game: 'rust',
  state: 'running',
  uptime_seconds: 60,
  players: 7,
  max_players: 100,
  queued: 4,
  fps: 59.5,
  entities: 1000,
  map: 'Procedural Map',
  cpu_percent: 88.5,
  memory_bytes: 9_126_805_504,
};

const bare = (name: string, state: Report['state'] = 'running'): Report => ({
  name,
  state,
  uptime_seconds: 1,
});

const get = (path: string, of: Tenant = tenant) => world.call('get', path, of.owner);

async function hostOf({ hostId }: TestAgent, of?: Tenant): Promise<Host> {
  return (await get(`/api/fleet/hosts/${hostId}`, of).expect(200)).body as Host;
}

async function instancesOf({ hostId }: { hostId: string }, of?: Tenant): Promise<Instance[]> {
  const { body } = await get(`/api/fleet/instances?limit=100&host_id=${hostId}`, of).expect(200);
  return (body as Schemas['GameInstancePage']).data;
}

const instanceOf = async (agent: TestAgent, name = 'main', of?: Tenant) =>
  (await instancesOf(agent, of)).find((instance) => instance.name === name);

/** The instance once it matches. */
const seen = (agent: TestAgent, name: string, wanted: Partial<Instance>, of?: Tenant) =>
  until(
    async () => {
      const instance = await instanceOf(agent, name, of);
      const entries = Object.entries(wanted) as [keyof Instance, unknown][];
      return (
        instance !== undefined && entries.every(([field, value]) => instance[field] === value) && instance
      );
    },
    `${name} being ${JSON.stringify(wanted)}`,
  );

async function statsOf(instanceId: string): Promise<Schemas['InstanceMetrics'][]> {
  const { body } = await get(`/api/fleet/instances/${instanceId}/stats?limit=100`).expect(200);
  return (body as Schemas['InstanceMetricsPage']).data;
}

const connectionOf = (instanceId: string) =>
  world.database.query('select is_connected from server_connection where instance_id = $1', [instanceId]);

const earlier = () => new Date(Date.now() - 60_000).toISOString();

const byeOf = ({ boot }: TestAgent, change: Partial<BusSchemas['Bye']> = {}): BusSchemas['Bye'] => ({
  v: 1,
  sent_at: new Date().toISOString(),
  boot,
  reason: 'shutdown',
  ...change,
});

/** Sends the goodbye and waits until the platform has processed it. */
async function takenBye(agent: TestAgent, change: Partial<BusSchemas['Bye']> = {}): Promise<void> {
  const taken = await outcomes('taken', 'bye');
  agent.publish('bye', byeOf(agent, change));
  await until(async () => (await outcomes('taken', 'bye')) > taken, 'the goodbye');
}

const outcomes = (outcome: string, kind = 'heartbeat') =>
  world.metric('gantry_bus_messages_total', { kind, outcome });

describe('heartbeats', () => {
  it('bring the host online with its metrics and create its instances', async () => {
    const agent = await TestAgent.connect(world, tenant, 'rust-01');
    const beat = agent.heartbeat([report, bare('idle', 'stopped')]);
    agent.publish('heartbeat', beat);
    const instance = await seen(agent, 'main', {});
    expect(instance).toEqual({
      ...report,
      capabilities: null,
      id: expect.any(String),
      host_id: agent.hostId,
      hostname: agent.hostname,
      cluster_id: null,
      managed_by: 'file',
      last_seen_at: expect.any(String),
      created_at: expect.any(String),
    });
    expect(await instanceOf(agent, 'idle')).toMatchObject({
      state: 'stopped',
      game: null,
      players: null,
      fps: null,
      map: null,
    });
    expect(await hostOf(agent)).toMatchObject({
      hostname: 'rust-01',
      status: 'online',
      agent_version: '0.0.0-test',
      cpu_percent: 10,
      memory_used_bytes: 1,
      memory_total_bytes: 2,
      disk_used_bytes: 3,
      disk_total_bytes: 4,
      last_heartbeat_at: expect.any(String),
    });
    const { name: _, game: __, ...point } = report;
    expect(await statsOf(instance.id)).toEqual([{ recorded_at: beat.sent_at, ...point }]);
    expect(
      await world.database.query(
        'select hostname, server_name, is_connected, agent_version from server_connection where instance_id = $1',
        [instance.id],
      ),
    ).toEqual([
      { hostname: 'rust-01', server_name: 'main', is_connected: true, agent_version: '0.0.0-test' },
    ]);
    await agent.close();
  });

  it('update the same rows each time, and add a point to the stats', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish('heartbeat', agent.heartbeat([report]));
    const first = await seen(agent, 'main', { players: 7 });
    agent.publish('heartbeat', agent.heartbeat([{ ...bare('main', 'stopping'), players: 0 }]));
    const second = await seen(agent, 'main', { players: 0 });
    expect(second).toMatchObject({ id: first.id, state: 'stopping', game: 'rust', map: null, fps: null });
    expect((await statsOf(first.id)).map(({ players }) => players)).toEqual([0, 7]);
    expect(await instancesOf(agent)).toHaveLength(1);
    await agent.close();
  });

  it('count only when newer: an older or repeated one of the same run is dropped', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const refused = await outcomes('refused');
    agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 5 }], { seq: 10 }));
    await seen(agent, 'main', { players: 5 });
    for (const seq of [9, 10, 1])
      agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 99 }], { seq }));
    await until(async () => (await outcomes('refused')) >= refused + 1, 'the refusal');
    agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 6 }], { seq: 11 }));
    const { id } = await seen(agent, 'main', { players: 6 });
    expect((await statsOf(id)).map(({ players }) => players)).toEqual([6, 5]);
    await agent.close();
  });

  it('of a new run of the agent count from the start', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 5 }], { seq: 1_000 }));
    await seen(agent, 'main', { players: 5 });
    agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 6 }], { seq: 1, boot: randomUUID() }));
    await seen(agent, 'main', { players: 6 });
    await agent.close();
  });

  it('that name an instance twice count its last entry', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish(
      'heartbeat',
      agent.heartbeat([{ ...report, players: 1 }, bare('other'), { ...report, players: 2 }]),
    );
    const { id } = await seen(agent, 'main', { players: 2 });
    expect(await instancesOf(agent)).toHaveLength(2);
    expect(await statsOf(id)).toHaveLength(1);
    await agent.close();
  });

  it('with new names each time are accepted up to a thousand instances, and the host stays online', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const count = async () =>
      (await world.database.query('select 1 from game_instance where host_id = $1', [agent.hostId])).length;
    for (let round = 0; round < 5; round += 1) {
      const names = Array.from({ length: 200 }, (_, index) => bare(`r${round}-i${index}`));
      agent.publish('heartbeat', agent.heartbeat(names));
      await until(async () => (await count()) === (round + 1) * 200, `round ${round}`);
    }
    const { last_heartbeat_at: before } = await hostOf(agent);
    const known = { ...bare('r0-i0'), players: 7 };
    agent.publish('heartbeat', agent.heartbeat([known, bare('one-too-many')]));
    await until(async () => (await hostOf(agent)).last_heartbeat_at !== before, 'the heartbeat');
    expect(await count()).toBe(1_000);
    const [row] = await world.database.query(
      `select players from game_instance where host_id = $1 and name = 'r0-i0'`,
      [agent.hostId],
    );
    expect(row).toEqual({ players: 7 });
    await agent.close();
  });

  it('of 200 instances and of none are accepted', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish('heartbeat', agent.heartbeat([]));
    await until(async () => (await hostOf(agent)).status === 'online', 'the host');
    expect(await instancesOf(agent)).toEqual([]);
    agent.publish(
      'heartbeat',
      agent.heartbeat(Array.from({ length: 200 }, (_, index) => bare(`i-${index}`))),
    );
    await until(
      async () =>
        (await world.database.query('select 1 from game_instance where host_id = $1', [agent.hostId]))
          .length === 200,
      'all instances',
    );
    await agent.close();
  });

  it('may use any time zone offset', async () => {
    const agent = await TestAgent.connect(world, tenant);
    for (const [players, hours] of [
      [1, 14],
      [2, -12],
      [3, 5],
    ] as const) {
      const local = new Date(Date.now() + hours * 3_600_000).toISOString().replace('Z', '');
      const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
      agent.publish('heartbeat', agent.heartbeat([{ ...report, players }], { sent_at: `${local}${offset}` }));
      await seen(agent, 'main', { players, state: 'running' });
    }
    await agent.close();
  });

  it('of an agent whose clock was set back still report the state, also after being offline', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish('heartbeat', agent.heartbeat([report]));
    await seen(agent, 'main', { state: 'running' });
    await agent.hello([]);
    await seen(agent, 'main', { state: 'offline' });
    const sent_at = new Date(Date.now() - 200_000).toISOString();
    agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 3 }], { sent_at }));
    await seen(agent, 'main', { players: 3, state: 'running' });
    await agent.close();
  });
});

describe('a heartbeat of a host whose clock is wrong', () => {
  const ahead = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
  const times: [string, () => string, number][] = [
    ['two hours ahead', () => ahead(7_200), 7_200],
    ['two hours behind', () => ahead(-7_200), -7_200],
    ['years ahead', () => '2999-01-01T00:00:00Z', expect.any(Number) as number],
    ['years behind', () => '0001-01-03T00:00:00Z', expect.any(Number) as number],
  ];

  it.each(times)(
    '%s counts as sent when it arrived, and the host shows the offset',
    async (_name, sentAt, seconds) => {
      const agent = await TestAgent.connect(world, tenant);
      await agent.hello(['main'], { sent_at: sentAt() });
      agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 5 }], { sent_at: sentAt() }));
      await seen(agent, 'main', { players: 5, state: 'running' });
      const { clock_offset_ms: offsetMs, status } = await hostOf(agent);
      expect(status).toBe('online');
      if (typeof seconds === 'number') expect(Math.abs((offsetMs ?? NaN) / 1_000 - seconds)).toBeLessThan(60);
      else expect(offsetMs).toEqual(seconds);
      const rows = await world.database.query<{ age: number }>(
        `select extract(epoch from now() - recorded_at)::float8 as age from instance_stats
       where instance_id in (select id from game_instance where host_id = $1)`,
        [agent.hostId],
      );
      expect(rows.map(({ age }) => Math.abs(age) < 60)).toEqual([true]);
      await agent.close();
    },
  );

  it('uses the offset the agent measured when it sends corrected times', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const reported = headers();
    reported.set('Gantry-Clock-Offset-Ms', '-7200000');
    agent.connection.publish(agent.subject('up.heartbeat'), JSON.stringify(agent.heartbeat([report])), {
      headers: reported,
    });
    await until(async () => (await hostOf(agent)).clock_offset_ms === -7_200_000, 'the offset');
    const formerOf = async () => {
      const [row] = await world.database.query<{ former: number | null }>(
        'select former_clock_offset_ms::float8 as former from agent_host where id = $1',
        [agent.hostId],
      );
      return row?.former;
    };
    expect(await formerOf()).not.toBe(-7_200_000);
    agent.publish('heartbeat', agent.heartbeat([report]));
    await until(async () => (await hostOf(agent)).clock_offset_ms === null, 'an agent that does not measure');
    expect(await formerOf()).toBe(-7_200_000);
    await agent.close();
  });
});

describe('a rejected heartbeat', () => {
  let agent: TestAgent;
  let monitor: NatsConnection;

  beforeAll(async () => {
    agent = await TestAgent.connect(world, tenant);
    monitor = await connectMonitor(world);
    agent.publish('heartbeat', agent.heartbeat([report]));
    await seen(agent, 'main', {});
  });

  const beat = (change: object = {}) => ({ ...agent.heartbeat([{ ...report, players: 66 }]), ...change });
  const withReport = (change: object) => () => beat({ instances: [{ ...report, ...change }] });

  const messages: Record<string, () => unknown> = {
    'is not JSON': () => 'not JSON',
    'is not UTF-8': () =>
      Buffer.from(JSON.stringify({ ...beat(), instances: [{ ...report, map: '\u00e9' }] }), 'latin1'),
    'is empty': () => '',
    'is JSON, but no object': () => '[]',
    'is of another version': () => beat({ v: 2 }),
    'lacks the host': () => beat({ host: undefined }),
    'has more memory than there is': () => beat({ host: { ...beat().host, memory_used_bytes: 1e300 } }),
    'has a negative number': withReport({ players: -1 }),
    'has a number that is none': withReport({ fps: 'many' }),
    'has a number beyond all bounds': () => JSON.stringify(beat()).replace('"fps":59.5', '"fps":1e999'),
    'has half a player': withReport({ players: 1.5 }),
    'has a state that there is not': withReport({ state: 'offline' }),
    'has a name that is none': withReport({ name: '../main' }),
    'has a field of its own': () => beat({ note: 'x' }),
    'claims another license': () => beat({ license_id: someId }),
    'claims another license for an instance': withReport({ license_id: someId }),
    'claims another host': () => beat({ host_id: someId }),
    'has 201 instances': () =>
      beat({ instances: Array.from({ length: 201 }, (_, index) => bare(`i${index}`)) }),
    'has 10,000 instances': () =>
      beat({ instances: Array.from({ length: 10_000 }, (_, index) => bare(`i${index}`)) }),
    'has a time before the supported range': () => beat({ sent_at: '0001-01-01T00:00:00Z' }),
    'has a leap second': () => beat({ sent_at: '2999-12-31T23:59:60Z' }),
    'has an invalid time': () => beat({ sent_at: 'now' }),
    'has NUL in the name of a map': withReport({ map: 'a\u0000b' }),
    'has half a character in the name of a map': withReport({ map: 'a\ud800b' }),
    'has NUL in its version': () => beat({ agent_version: '\u0000' }),
    'has a sequence beyond all bounds': () => beat({ seq: 2 ** 60 }),
    'is nested deeply': () => '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000),
  };

  it.each(Object.keys(messages))('because it %s is counted, and nothing of it is stored', async (kind) => {
    const [refused, before] = [await outcomes('refused'), await dumpLicense(world, tenant.license.id)];
    agent.publish('heartbeat', messages[kind]?.());
    await until(async () => (await outcomes('refused')) === refused + 1, 'the count');
    expect(await dumpLicense(world, tenant.license.id)).toEqual(before);
  });

  it('because its host is unknown is counted, and nothing of it is stored', async () => {
    const refused = await outcomes('refused');
    for (const host of [randomUUID(), randomUUID()]) {
      monitor.publish(`gantry.${host}.up.heartbeat`, JSON.stringify(beat()));
    }
    await until(async () => (await outcomes('refused')) === refused + 2, 'the count');
    expect(await instanceOf(agent)).toMatchObject({ players: 7 });
  });

  it('because its subject names no host is not parsed', async () => {
    const before = await dumpLicense(world, tenant.license.id);
    for (const host of ['unknown', agent.hostId.toUpperCase(), `${agent.hostId}x`]) {
      monitor.publish(`gantry.${host}.up.heartbeat`, JSON.stringify(beat()));
    }
    const refused = await outcomes('refused');
    monitor.publish(agent.subject('up.heartbeat'), 'the last one');
    await until(async () => (await outcomes('refused')) > refused, 'the last one');
    expect(await outcomes('refused')).toBe(refused + 1);
    expect(await dumpLicense(world, tenant.license.id)).toEqual(before);
  });

  it('because its license is revoked is counted, and nothing of it is stored', async () => {
    const own = await world.createTenant();
    const former = await TestAgent.connect(world, own);
    await world.database.query(`update license set status = 'revoked' where id = $1`, [own.license.id]);
    const [refused, before] = [await outcomes('refused'), await dumpLicense(world, own.license.id)];
    former.publish('heartbeat', former.heartbeat([report]));
    await until(async () => (await outcomes('refused')) === refused + 1, 'the count');
    expect(await dumpLicense(world, own.license.id)).toEqual(before);
    expect(await former.hello(['main'])).toMatchObject({ ok: false });
    const change = { v: 1, id: randomUUID(), boot: former.boot, seq: 1, instance: 'main', state: 'running' };
    expect(await former.request('instance-state', { ...change, at: new Date().toISOString() })).toMatchObject(
      { ok: false },
    );
    expect(await dumpLicense(world, own.license.id)).toEqual(before);
  });

  it('by the broker, because it belongs to another host, reaches no subscriber', async () => {
    const other = await TestAgent.connect(world, tenant);
    expect(await other.mayPublish(agent.subject('up.heartbeat'), beat())).toBe(false);
    expect(await instanceOf(agent)).toMatchObject({ players: 7 });
  });

  it('by the database alone does not affect others of the same batch', async () => {
    const own = await world.createTenant();
    await world.database.query(
      `alter table game_instance add constraint no_poison check (map is distinct from 'poison')`,
    );
    const hosts = await Promise.all(Array.from({ length: 30 }, () => createHost(world, own)));
    const failed = await outcomes('failed');
    for (const [index, hostId] of hosts.entries()) {
      const map = index === 10 || index === 20 ? 'poison' : 'fine';
      monitor.publish(
        `gantry.${hostId}.up.heartbeat`,
        JSON.stringify({ ...beat(), instances: [{ ...report, map }] }),
      );
    }
    await until(async () => (await outcomes('failed')) === failed + 2, 'the failure of both');
    await until(
      async () =>
        (await world.database.query('select 1 from game_instance where license_id = $1', [own.license.id]))
          .length === 28,
      'the others',
    );
    const online = await world.database.query<{ id: string }>(
      `select id from agent_host where license_id = $1 and status = 'online'`,
      [own.license.id],
    );
    expect(new Set(online.map(({ id }) => id))).toEqual(
      new Set(hosts.filter((_, index) => index !== 10 && index !== 20)),
    );
    await world.database.query('alter table game_instance drop constraint no_poison');
  });
});

describe('hello', () => {
  it('sets instances that it does not name to offline, and no others', async () => {
    const [agent, other] = [await TestAgent.connect(world, tenant), await TestAgent.connect(world, tenant)];
    agent.publish('heartbeat', agent.heartbeat([bare('one'), bare('two', 'stopped'), bare('three')]));
    other.publish('heartbeat', other.heartbeat([bare('one')]));
    const three = await seen(agent, 'three', { state: 'running' });
    await seen(other, 'one', { state: 'running' });
    expect(await agent.hello(['one', 'two'])).toEqual({ v: 1, ok: true, server_time: expect.any(String) });
    const states = (await instancesOf(agent)).map(({ name, state }) => [name, state]);
    expect(Object.fromEntries(states)).toEqual({ one: 'running', two: 'stopped', three: 'offline' });
    expect(await instanceOf(other, 'one')).toMatchObject({ state: 'running' });
    expect(await connectionOf(three.id)).toEqual([{ is_connected: false }]);
    await Promise.all([agent.close(), other.close()]);
  });

  it('works for any instance names', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish('heartbeat', agent.heartbeat([bare('null'), bare('true'), bare('a-b_c'), bare('gone')]));
    await seen(agent, 'gone', { state: 'running' });
    await agent.hello(['null', 'true', 'a-b_c']);
    const states = (await instancesOf(agent)).map(({ name, state }) => [name, state]);
    expect(Object.fromEntries(states)).toEqual({
      null: 'running',
      true: 'running',
      'a-b_c': 'running',
      gone: 'offline',
    });
    await agent.hello([]);
    expect((await instancesOf(agent)).map(({ state }) => state)).toEqual(Array(4).fill('offline'));
    await agent.close();
  });

  it('is refused by a platform that does not know the host', async () => {
    const own = await world.createTenant();
    const agent = await TestAgent.connect(world, own);
    await world.database.query('delete from agent_host where id = $1', [agent.hostId]);
    expect(await agent.hello([])).toMatchObject({ ok: false });
    await agent.close();
  });
});

describe('bye', () => {
  it('sets the host and its instances offline until a heartbeat of the next boot', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish('heartbeat', agent.heartbeat([bare('main')]));
    const { id } = await seen(agent, 'main', { state: 'running' });
    agent.publish('bye', byeOf(agent));
    await until(async () => (await hostOf(agent)).status === 'offline', 'the host being offline');
    expect(await instanceOf(agent)).toMatchObject({ state: 'offline' });
    expect(await connectionOf(id)).toEqual([{ is_connected: false }]);
    agent.publish('heartbeat', agent.heartbeat([bare('main')], { seq: 1, boot: randomUUID() }));
    await seen(agent, 'main', { state: 'running' });
    expect((await hostOf(agent)).status).toBe('online');
    expect(await connectionOf(id)).toEqual([{ is_connected: true }]);
    await agent.close();
  });

  it('of an earlier boot of the agent changes nothing', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish('heartbeat', agent.heartbeat([bare('main')]));
    await seen(agent, 'main', { state: 'running' });
    await takenBye(agent, { boot: randomUUID(), sent_at: earlier() });
    expect((await hostOf(agent)).status).toBe('online');
    await agent.close();
  });

  it('is not undone by a heartbeat of the same boot that was still waiting to be stored', async () => {
    const [agent, busy] = [await TestAgent.connect(world, tenant), await TestAgent.connect(world, tenant)];
    agent.publish('heartbeat', agent.heartbeat([bare('main')]));
    await seen(agent, 'main', { state: 'running' });
    const refused = await outcomes('refused');
    const holder = new pg.Client({ connectionString: world.database.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from agent_host where id = $1 for update', [busy.hostId]);
      busy.publish('heartbeat', busy.heartbeat([bare('main')]));
      await until(
        async () => (await world.database.query('select 1 from pg_locks where not granted')).length > 0,
        'a blocked batch',
      );
      agent.publish('heartbeat', agent.heartbeat([bare('main')]));
      await until(async () => (await world.metric('gantry_heartbeats_waiting')) > 0, 'a waiting heartbeat');
      await takenBye(agent);
      await holder.query('commit');
    } finally {
      await holder.end();
    }
    await until(async () => (await outcomes('refused')) > refused, 'the late heartbeat');
    expect((await hostOf(agent)).status).toBe('offline');
    expect(await instanceOf(agent)).toMatchObject({ state: 'offline' });
    expect((await hostOf(busy)).status).toBe('online');
    expect(await agent.hello(['main'])).toMatchObject({ ok: false });
    await Promise.all([agent.close(), busy.close()]);
  });

  it('is processed even while a heartbeat of the host is being stored', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish('heartbeat', agent.heartbeat([bare('main')]));
    await seen(agent, 'main', { state: 'running' });
    await world.database.commitWhileWaiting(
      'select from agent_host where id = $1 for update',
      [agent.hostId],
      () => takenBye(agent),
    );
    expect((await hostOf(agent)).status).toBe('offline');
    await agent.close();
  });
});

describe('an earlier boot of the agent', () => {
  it('is ignored once a later one has said hello', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const late = agent.heartbeat([{ ...report, players: 66 }], { boot: randomUUID(), sent_at: earlier() });
    await agent.hello(['main']);
    agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 5 }]));
    await seen(agent, 'main', { players: 5 });
    const refused = await outcomes('refused');
    agent.publish('heartbeat', late);
    await until(async () => (await outcomes('refused')) > refused, 'the refusal');
    expect(await agent.hello([], late)).toMatchObject({ ok: false });
    expect(await instanceOf(agent)).toMatchObject({ players: 5, state: 'running' });
    agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 6 }]));
    await seen(agent, 'main', { players: 6 });
    await agent.close();
  });

  it('is ignored even if only its goodbye arrived before', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const refused = await outcomes('refused');
    await takenBye(agent);
    agent.publish('heartbeat', agent.heartbeat([report]));
    await until(async () => (await outcomes('refused')) > refused, 'the refusal');
    expect(await instancesOf(agent)).toEqual([]);
    await agent.close();
  });
});

describe('a state change', () => {
  const change = (
    agent: TestAgent,
    state: Report['state'],
    seq: number,
    more: Partial<BusSchemas['InstanceStateChange']> = {},
  ) =>
    agent.request('instance-state', {
      v: 1,
      id: randomUUID(),
      boot: agent.boot,
      seq,
      instance: 'main',
      state,
      at: new Date().toISOString(),
      ...more,
    });

  it('is visible once it is acknowledged, also for a previously unknown instance', async () => {
    const agent = await TestAgent.connect(world, tenant);
    expect(await change(agent, 'starting', 1)).toEqual({ v: 1, ok: true });
    expect(await instanceOf(agent)).toMatchObject({ state: 'starting' });
    await change(agent, 'crashed', 2, { exit_code: -11, signal: 'SIGSEGV', reason: 'it crashed' });
    expect(await instanceOf(agent)).toMatchObject({ state: 'crashed' });
    await agent.close();
  });

  it('that arrives late or twice is acknowledged and changes nothing', async () => {
    const agent = await TestAgent.connect(world, tenant);
    for (const [state, seq] of [
      ['starting', 1],
      ['running', 3],
      ['stopping', 2],
      ['starting', 1],
      ['crashed', 3],
    ] as const) {
      expect(await change(agent, state, seq)).toMatchObject({ ok: true });
    }
    expect(await instanceOf(agent)).toMatchObject({ state: 'running' });
    await change(agent, 'stopped', 4);
    expect(await instanceOf(agent)).toMatchObject({ state: 'stopped' });
    await agent.close();
  });

  it('of an earlier run of the agent yields to the later run', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const early = new Date(Date.now() - 10_000).toISOString();
    await change(agent, 'running', 1);
    await change(agent, 'stopping', 99, { boot: randomUUID(), at: early });
    expect(await instanceOf(agent)).toMatchObject({ state: 'running' });
    await agent.close();
  });

  it('is not undone by a heartbeat that was sent before it', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const before = agent.heartbeat([{ ...report, players: 3 }], {
      sent_at: new Date(Date.now() - 2_000).toISOString(),
    });
    await change(agent, 'stopped', 1);
    agent.publish('heartbeat', before);
    await seen(agent, 'main', { players: 3 });
    expect(await instanceOf(agent)).toMatchObject({ state: 'stopped' });
    agent.publish('heartbeat', agent.heartbeat([report]));
    await seen(agent, 'main', { state: 'running' });
    await agent.close();
  });

  it('from a clock far ahead does not block later states', async () => {
    const agent = await TestAgent.connect(world, tenant);
    await change(agent, 'crashed', 1, { at: '2999-01-01T00:00:00Z' });
    agent.publish('heartbeat', agent.heartbeat([report]));
    await seen(agent, 'main', { state: 'running' });
    await agent.close();
  });

  it.each([
    '2026-11-21T10:00:00+20:00',
    '2026-11-21T10:00:00-12:00',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-12:00',
    '0000-01-01T00:00:00Z',
    '0000-01-01T00:00:00+20:00',
    '9999-12-31T23:59:59Z',
    '2026-12-31T23:59:60Z',
    '2026-11-21 10:00:00z',
  ])('at %s gets a reply, so that the agent does not repeat it endlessly', async (at) => {
    const agent = await TestAgent.connect(world, tenant);
    expect(await change(agent, 'running', 1, { at })).toMatchObject({ v: 1 });
    await agent.close();
  });

  it('that breaks the contract is rejected with the reason', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const faults = [
      { state: 'offline' },
      { seq: 0 },
      { instance: 'a b' },
      { reason: '\u0000' },
      { license_id: someId },
      { at: 'now' },
    ];
    for (const fault of faults) {
      expect(await change(agent, 'running', 1, fault as object)).toMatchObject({
        ok: false,
        detail: expect.stringMatching(/./),
      });
    }
    expect(await instancesOf(agent)).toEqual([]);
    await agent.close();
  });
});

describe('a host whose heartbeats stop', () => {
  let quick: World;

  beforeAll(async () => {
    quick = await World.create({ heartbeatIntervalSeconds: 0.2, roles: ['api', 'ingest'] });
  });

  afterAll(async () => {
    await quick.close();
  });

  it('goes offline with its instances after three missed ones, alone, and comes back', async () => {
    const own = await quick.createTenant();
    const [agent, other] = [await TestAgent.connect(quick, own), await TestAgent.connect(quick, own)];
    expect(agent.session.heartbeat_interval_seconds).toBe(0.2);
    const stateOf = async ({ hostId }: TestAgent) => {
      const [row] = await quick.database.query<{
        host: string;
        instance: string;
        connected: boolean;
        age: number;
      }>(
        `select host.status as host, instance.state as instance, c.is_connected as connected,
           extract(epoch from now() - host.last_heartbeat_at)::float8 as age
         from agent_host host join game_instance instance on instance.host_id = host.id
         join server_connection c on c.instance_id = instance.id where host.id = $1`,
        [hostId],
      );
      return row;
    };
    const online = { host: 'online', instance: 'running', connected: true };
    const stay = setInterval(() => other.publish('heartbeat', other.heartbeat([bare('main')])), 100);
    try {
      agent.publish('heartbeat', agent.heartbeat([bare('main')]));
      await until(async () => (await stateOf(agent))?.host === 'online', 'the host online');
      const gone = await until(
        async () => {
          const state = await stateOf(agent);
          return state?.host === 'offline' && state;
        },
        'the host offline',
        3_000,
      );
      expect(gone).toMatchObject({ host: 'offline', instance: 'offline', connected: false });
      expect(gone.age).toBeGreaterThan(0.6);
      expect(await stateOf(other)).toMatchObject(online);
      agent.publish('heartbeat', agent.heartbeat([bare('main')]));
      await until(async () => (await stateOf(agent))?.instance === 'running', 'the host back online');
      expect(await stateOf(agent)).toMatchObject(online);
    } finally {
      clearInterval(stay);
    }
  });
});

describe('two replicas', () => {
  it('share the heartbeats, and process none twice', async () => {
    const own = await world.createTenant();
    const { url = '', stop } = await world.addReplica();
    const monitor = await connectMonitor(world);
    const hosts = await Promise.all(Array.from({ length: 20 }, () => createHost(world, own)));
    const takenBy = () =>
      Promise.all(
        [world.url, url].map((base) =>
          world.metric('gantry_bus_messages_total', { kind: 'heartbeat', outcome: 'taken' }, base),
        ),
      );
    const before = await takenBy();
    const boot = randomUUID();
    const base = {
      v: 1,
      agent_version: 'x',
      boot,
      host: {
        cpu_percent: 1,
        memory_used_bytes: 1,
        memory_total_bytes: 1,
        disk_used_bytes: 1,
        disk_total_bytes: 1,
      },
    };
    for (let seq = 1; seq <= 10; seq += 1) {
      for (const hostId of hosts) {
        const message = {
          ...base,
          seq,
          sent_at: new Date().toISOString(),
          instances: [bare('a'), bare('b')],
        };
        monitor.publish(`gantry.${hostId}.up.heartbeat`, JSON.stringify(message));
      }
      await monitor.flush();
    }
    const done = () =>
      world.database.query('select 1 from agent_host where license_id = $1 and heartbeat_seq = 10', [
        own.license.id,
      ]);
    await until(async () => (await done()).length === hosts.length, 'the last heartbeat of each host');
    const shares = (await takenBy()).map((count, index) => count - (before[index] ?? 0));
    expect(shares.every((share) => share > 0)).toBe(true);
    expect(shares[0] ?? 0).toBeLessThanOrEqual(200);
    expect((shares[0] ?? 0) + (shares[1] ?? 0)).toBeLessThanOrEqual(200);
    const counts = await world.database.query(
      `select count(*)::int as instances from game_instance where license_id = $1`,
      [own.license.id],
    );
    expect(counts).toEqual([{ instances: 40 }]);
    const [{ points = 0 } = {}] = await world.database.query<{ points: number }>(
      'select count(*)::int as points from instance_stats where license_id = $1',
      [own.license.id],
    );
    expect(points).toBeLessThanOrEqual(400);
    expect(points).toBeGreaterThanOrEqual(40);
    await stop();
  });
});

describe('listInstances', () => {
  it('returns 200 oldest first, page by page over 60 of them, without gaps or repeats, while more are added', async () => {
    const own = await world.createTenant();
    const hostId = await createHost(world, own);
    const ids: string[] = [];
    for (let index = 0; index < 60; index += 1)
      ids.push(await createInstance(world, own, { host_id: hostId }));
    const found: string[] = [];
    let next: string | null = '/api/fleet/instances?limit=7';
    let pages = 0;
    while (next !== null) {
      const { body, headers }: Response = await get(next, own).expect(200);
      const page = body as Schemas['GameInstancePage'];
      found.push(...page.data.map(({ id }) => id));
      pages += 1;
      if (pages === 3) ids.push(await createInstance(world, own, { host_id: hostId }));
      const link: string | undefined = /^<(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
      expect(link === undefined).toBe(page.next_cursor === null);
      if (link !== undefined)
        expect(new URL(link, 'http://x').searchParams.get('cursor')).toBe(page.next_cursor);
      next = link ?? null;
    }
    expect(found).toEqual(ids);
    expect(pages).toBe(9);
  });

  it('returns 200 with 25 by default, and no next page after the last', async () => {
    const own = await world.createTenant();
    const hostId = await createHost(world, own);
    for (let index = 0; index < 26; index += 1) await createInstance(world, own, { host_id: hostId });
    const first = (await get('/api/fleet/instances', own)).body as Schemas['GameInstancePage'];
    expect(first.data).toHaveLength(25);
    expect(first.next_cursor).not.toBeNull();
    const { body, headers } = await get('/api/fleet/instances?limit=26', own);
    expect([
      (body as Schemas['GameInstancePage']).data.length,
      (body as Schemas['GameInstancePage']).next_cursor,
    ]).toEqual([26, null]);
    expect(headers['link']).toBeUndefined();
  });

  it('returns 200 with a next link that keeps the filters', async () => {
    const own = await world.createTenant();
    const hostId = await createHost(world, own);
    for (let index = 0; index < 3; index += 1)
      await createInstance(world, own, { host_id: hostId, state: 'crashed' });
    await createInstance(world, own, { host_id: hostId });
    const { headers } = await get(`/api/fleet/instances?limit=2&state=crashed&host_id=${hostId}`, own).expect(
      200,
    );
    const link = /^<(.+)>/.exec(headers['link'] ?? '')?.[1] ?? '';
    const { body } = await get(link, own).expect(200);
    expect((body as Schemas['GameInstancePage']).data.map(({ state }) => state)).toEqual(['crashed']);
  });

  it('returns 200 filtered by host, cluster and state', async () => {
    const own = await world.createTenant();
    const [hostId, cluster_id] = [await createHost(world, own), await createCluster(world, own)];
    const one = await createInstance(world, own, { host_id: hostId, cluster_id, state: 'running' });
    const two = await createInstance(world, own, { host_id: hostId, state: 'crashed' });
    const three = await createInstance(world, own, { cluster_id, state: 'crashed' });
    const list = async (query: string) => {
      const { body } = await get(`/api/fleet/instances?${query}`, own).expect(200);
      return (body as Schemas['GameInstancePage']).data.map(({ id }) => id);
    };
    expect(await list(`host_id=${hostId}`)).toEqual([one, two]);
    expect(await list(`cluster_id=${cluster_id}`)).toEqual([one, three]);
    expect(await list('state=crashed')).toEqual([two, three]);
    expect(await list(`state=crashed&cluster_id=${cluster_id}`)).toEqual([three]);
    expect(await list(`state=running&host_id=${randomUUID()}`)).toEqual([]);
  });

  it.each([
    ['of no base64', '!!!'],
    ['of other text', Buffer.from('nonsense').toString('base64url')],
    ['of half an id', Buffer.from(someId.slice(0, 20)).toString('base64url')],
    ['of an id and more', Buffer.from(`${someId}' or true`).toString('base64url')],
    ['of an id that one more character follows', `${Buffer.from(someId).toString('base64url')}A`],
    ['of bytes', Buffer.from([0, 255, 254, 1]).toString('base64url')],
    ['of a time, which is another list’s', Buffer.from('2026-11-21T10:00:00.000Z').toString('base64url')],
  ])('returns 400 for a cursor %s', async (_what, cursor) => {
    const { body } = await get(`/api/fleet/instances?cursor=${cursor}`).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ in: 'query', pointer: '/cursor' }] });
  });
});

describe('listHosts', () => {
  it('returns 200 oldest first, page by page, and filtered by state', async () => {
    const own = await world.createTenant();
    const ids: string[] = [];
    for (const status of ['online', 'offline', 'online']) ids.push(await createHost(world, own, { status }));
    const list = async (query: string) =>
      (await get(`/api/fleet/hosts?${query}`, own).expect(200)).body as Schemas['AgentHostPage'];
    expect((await list('')).data.map(({ id }) => id)).toEqual(ids);
    expect((await list('status=online')).data.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    const first = await list('limit=2');
    expect((await list(`limit=2&cursor=${first.next_cursor ?? ''}`)).data.map(({ id }) => id)).toEqual([
      ids[2],
    ]);
  });
});

describe('getInstance and getHost', () => {
  it('returns 404 for an unknown one', async () => {
    await get(`/api/fleet/instances/${someId}`).expect(404);
    await get(`/api/fleet/hosts/${someId}`).expect(404);
  });
});

describe('updateInstance', () => {
  const put = (id: string, cluster_id: unknown) =>
    world.call('patch', `/api/fleet/instances/${id}`, tenant.owner).send({ cluster_id });

  it('returns 200 when moved into a cluster, into another, and out of it', async () => {
    const id = await createInstance(world, tenant);
    for (const cluster_id of [await createCluster(world, tenant), await createCluster(world, tenant), null]) {
      expect((await put(id, cluster_id).expect(200)).body).toMatchObject({ id, cluster_id });
      expect((await get(`/api/fleet/instances/${id}`)).body).toMatchObject({ cluster_id });
    }
  });

  it('returns 200, and heartbeats keep the cluster', async () => {
    const agent = await TestAgent.connect(world, tenant);
    agent.publish('heartbeat', agent.heartbeat([report]));
    const { id } = await seen(agent, 'main', {});
    const cluster_id = await createCluster(world, tenant);
    await put(id, cluster_id).expect(200);
    agent.publish('heartbeat', agent.heartbeat([{ ...report, players: 8 }]));
    expect(await seen(agent, 'main', { players: 8 })).toMatchObject({ cluster_id });
    await agent.close();
  });

  it('returns 404 for a cluster of another license, and the instance stays in its own', async () => {
    const cluster_id = await createCluster(world, tenant);
    const id = await createInstance(world, tenant, { cluster_id });
    const foreign = await createCluster(world, await world.createTenant());
    for (const wrong of [foreign, someId]) {
      expect((await put(id, wrong).expect(404)).body).toMatchObject({ detail: 'No such cluster.' });
    }
    expect((await get(`/api/fleet/instances/${id}`)).body).toMatchObject({ cluster_id });
  });

  it('returns 400 for an invalid cluster id', async () => {
    const id = await createInstance(world, tenant);
    for (const wrong of ['', 'x', 1, {}, undefined]) await put(id, wrong).expect(400);
  });
});

describe('listInstanceMetrics', () => {
  const minute = 60_000;
  const start = Math.floor(Date.now() / minute) * minute;

  /** An instance with a point for each of these ages, in minutes. */
  async function withPoints(ages: number[]): Promise<string> {
    const id = await createInstance(world, tenant);
    await world.database.query(
      `select create_month_partitions('instance_stats', (current_date - interval '2 months')::date, 2)`,
    );
    await world.database.query(
      `insert into instance_stats (license_id, instance_id, recorded_at, state, uptime_seconds, players)
       select $1, $2, $3::timestamptz - make_interval(mins => age), 'running', 0, age from unnest($4::int[]) as age`,
      [tenant.license.id, id, new Date(start), ages],
    );
    return id;
  }

  const at = (age: number) => new Date(start - age * minute).toISOString();

  async function players(id: string, query = ''): Promise<(number | null)[]> {
    const { body } = await get(`/api/fleet/instances/${id}/stats?limit=100${query}`).expect(200);
    return (body as Schemas['InstanceMetricsPage']).data.map((point) => point.players);
  }

  it('returns 200 newest first, page by page', async () => {
    const ages = Array.from({ length: 23 }, (_, index) => index);
    const id = await withPoints(ages);
    const found: (number | null)[] = [];
    let next: string | null = `/api/fleet/instances/${id}/stats?limit=5`;
    while (next !== null) {
      const { body, headers }: Response = await get(next).expect(200);
      found.push(...(body as Schemas['InstanceMetricsPage']).data.map((point) => point.players));
      next = /^<(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? null;
    }
    expect(found).toEqual(ages);
  });

  it('returns 200 with the same pages, and the export the same lines, once the points are packed', async () => {
    const pack = await openStatsPacking(world);
    const id = await withPoints([...Array.from({ length: 150 }, (_, index) => index), 20 * 24 * 60]);
    await world.database.query(
      `update instance_stats set fps = players / 7.0, memory_bytes = 9126805504 + players, map = 'Island',
         cpu_percent = players / 10.0, state = case when players % 40 = 0 then 'stopped' else 'running' end
       where instance_id = $1`,
      [id],
    );
    const read = async () => {
      const pages: unknown[] = [];
      let next: string | null = `/api/fleet/instances/${id}/stats?limit=40&from=${at(21 * 24 * 60)}`;
      while (next !== null) {
        const { body, headers }: Response = await get(next).expect(200);
        pages.push(body);
        next = /^<(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? null;
      }
      const exported = await fetch(`${world.url}/api/license/export`, {
        headers: { authorization: `Bearer ${tenant.owner.token}` },
      });
      const lines = (await exported.text()).trim().split('\n');
      const rows = lines.map((line) => JSON.parse(line) as { table: string; row?: { instance_id?: string } });
      return {
        pages,
        rows: rows.filter(({ table, row }) => table === 'instance_stats' && row?.instance_id === id),
      };
    };
    const before = await read();
    expect([before.pages.length, before.rows.length]).toEqual([4, 151]);
    await pack(id);
    expect(await world.database.query('select from instance_stats where instance_id = $1', [id])).toEqual([]);
    expect(await read()).toEqual(before);
  });

  it('returns 200 with the last 24 hours by default', async () => {
    const id = await withPoints([1, 23 * 60, 25 * 60, 20 * 24 * 60]);
    expect(await players(id)).toEqual([1, 23 * 60]);
    expect(await players(id, `&from=${at(26 * 60)}`)).toEqual([1, 23 * 60, 25 * 60]);
    expect(await players(id, '&from=1970-01-01T00:00:00Z')).toEqual([1, 23 * 60, 25 * 60, 20 * 24 * 60]);
  });

  it('returns 200 with the points from `from`, inclusive, to `to`, exclusive', async () => {
    const id = await withPoints([1, 2, 3, 4, 5]);
    expect(await players(id, `&from=${at(4)}&to=${at(2)}`)).toEqual([3, 4]);
    expect(await players(id, `&to=${at(3)}`)).toEqual([4, 5]);
    expect(await players(id, `&from=${at(2)}&to=${at(4)}`)).toEqual([]);
    expect(await players(id, `&from=${encodeURIComponent(at(2).replace('Z', '+00:00'))}`)).toEqual([1, 2]);
  });

  it('returns 200 with the same points for any escaping of the query', async () => {
    const id = await withPoints([1, 2, 3]);
    expect(await players(id, `&from=${encodeURIComponent(at(2))}`)).toEqual([1, 2]);
    expect(await players(id, `&from=${at(2)}`)).toEqual([1, 2]);
  });

  it.each(['now', '2026-11-21', '10:00', '2026-13-01T00:00:00Z', '', '2026-11-21T10:00:00', '1763719200'])(
    'returns 400 for the time %j',
    async (time) => {
      const id = await createInstance(world, tenant);
      for (const name of ['from', 'to']) {
        const { body } = await get(`/api/fleet/instances/${id}/stats?${name}=${time}`).expect(400);
        expect(body).toMatchObject({ errors: [{ in: 'query', pointer: `/${name}` }] });
      }
    },
  );

  it.each([
    '2026-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0000-01-01T00:00:00%2B23:59',
    '9999-12-31T23:59:59-23:59',
  ])('returns 200 or 400, never 500, for the time %s', async (time) => {
    const id = await createInstance(world, tenant);
    for (const name of ['from', 'to']) {
      const { status } = await get(`/api/fleet/instances/${id}/stats?${name}=${time}`);
      expect([200, 400]).toContain(status);
    }
  });

  it.each([
    ['of an id, which is another list’s', someId],
    ['of no time', 'yesterday'],
    ['of a time before all time', '-271821-04-20T00:00:00.000Z'],
    ['of a time after all time', '+275760-09-13T00:00:00.000Z'],
    ['of a time in another form', 'Sat, 21 Nov 2026 10:00:00 GMT'],
    ['of a number', '1'],
  ])('returns 400 for a cursor %s', async (_what, text) => {
    const id = await createInstance(world, tenant);
    const cursor = Buffer.from(text).toString('base64url');
    const { body } = await get(`/api/fleet/instances/${id}/stats?cursor=${cursor}`).expect(400);
    expect(body).toMatchObject({ errors: [{ in: 'query', pointer: '/cursor' }] });
  });

  it('returns 404 for an unknown instance', async () => {
    await get(`/api/fleet/instances/${someId}/stats`).expect(404);
  });
});

describe('deleteInstance and deleteHost', () => {
  const remove = (path: string) => world.call('delete', `/api/fleet/${path}`, tenant.owner);

  it('returns 204 when offline: the agent must enroll again, and its credentials end', async () => {
    const agent = await TestAgent.connect(world, tenant);
    const instanceId = await createInstance(world, tenant, { host_id: agent.hostId, state: 'offline' });
    await remove(`instances/${instanceId}`).expect(204);
    await remove(`instances/${instanceId}`).expect(404);
    const other = await createInstance(world, tenant, { host_id: agent.hostId });
    await remove(`hosts/${agent.hostId}`).expect(204);
    await world.call('get', `/api/fleet/hosts/${agent.hostId}`, tenant.owner).expect(404);
    await world.call('get', `/api/fleet/instances/${other}`, tenant.owner).expect(404);
    const revoked = await world.database.query('select 1 from bus_revocation where caused_by = $1', [
      tenant.license.id,
    ]);
    expect(revoked.length).toBeGreaterThan(0);
    await agent.close();
  });

  it('returns 409 when online, and deletes nothing', async () => {
    const hostId = await createHost(world, tenant, { status: 'online' });
    const instanceId = await createInstance(world, tenant, { host_id: hostId, state: 'stopped' });
    for (const path of [`hosts/${hostId}`, `instances/${instanceId}`]) {
      expect((await remove(path).expect(409)).body).toMatchObject({ code: 'still_online' });
      await world.call('get', `/api/fleet/${path}`, tenant.owner).expect(200);
    }
  });
});
