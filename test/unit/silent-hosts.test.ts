// Silent hosts are taken offline in small transactions, and only after every ingest replica has listened.
import { pino } from 'pino';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { maxHostsAtOnce, SilentHosts, type ListeningState } from '../../src/services/agents/silent-hosts.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';

const heartbeatIntervalMs = 10_000;
const log = pino({ level: 'silent' });

let database: TestDatabase;
let connection: DatabaseConnection;
let platform: PlatformScope;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({ url: database.url, limits: patientLimits, poolSize: 2, log });
  platform = new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool));
  await database.query(
    `insert into license (key, name, subdomain, companion_token_hash) values ('own', 'own', 'own', 'own')`,
  );
});

beforeEach(async () => {
  for (const table of ['ingest_listener', 'agent_host', 'event_log'])
    await database.query(`delete from ${table}`);
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

/** Online hosts with that many running instances each, last heard of an hour ago. */
async function createSilentHosts(count: number, instances = 1): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `with host as (
       insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key, status, last_heartbeat_at)
       select license.id, 'host ' || n, 't', 't', gen_random_uuid(), 'online', now() - interval '1 hour'
       from license, generate_series(1, $1) as n returning id, license_id
     ), instance as (
       insert into game_instance (license_id, host_id, name, state)
       select license_id, id, 'instance-' || n, 'running' from host, generate_series(1, $2) as n
     )
     select id from host`,
    [count, instances],
  );
  return rows.map(({ id }) => id).toSorted();
}

interface Ears extends ListeningState {
  busLossCount: number;
  heartbeatLossCount: number;
  waitMs: number;
  waiting: string[];
  checkBus: () => Promise<void>;
  catchUp: () => Promise<void>;
  /** Hosts whose agents reply. */
  there: string[];
  asked: string[];
  alive: string[];
}

/** A replica whose subscription and clock are controlled by the test. */
function createReplica(intervalMs = heartbeatIntervalMs) {
  const ears: Ears = {
    busLossCount: 0,
    heartbeatLossCount: 0,
    there: [],
    asked: [],
    alive: [],
    waitMs: 0,
    waiting: [],
    checkBus: () => Promise.resolve(),
    catchUp: () => Promise.resolve(),
    isThere: (hostId) => {
      ears.asked.push(hostId);
      return Promise.resolve(ears.there.includes(hostId));
    },
    recordAlive: (hostId) => void ears.alive.push(hostId),
    oldestWaitMs: () => ears.waitMs,
    waitingHosts: () => ears.waiting,
  };
  const clock = { aheadMs: 0 };
  const replica = new SilentHosts({
    platform,
    listening: ears,
    heartbeatIntervalMs: intervalMs,
    monotonicMs: () => performance.now() + clock.aheadMs,
  });
  return { replica, ears, clock };
}

/** Makes every replica's listening start an hour earlier. */
const age = () =>
  database.query(
    `update ingest_listener set listening_since = now() - interval '1 hour', doubted_at = now() - interval '1 day'`,
  );

async function createListeningReplica(intervalMs?: number) {
  const created = createReplica(intervalMs);
  expect(await created.replica.sweep()).toEqual([]);
  await age();
  return created;
}

const onlineCount = async () => {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from agent_host where status = 'online'`,
  );
  return row?.count;
};

it('are taken offline with their instances, each with one event, in transactions of at most 200', async () => {
  const { replica } = await createListeningReplica();
  const silent = await createSilentHosts(2 * maxHostsAtOnce + 50);
  expect((await replica.sweep()).toSorted()).toEqual(silent);
  const batches = await database.query<{ count: number }>(
    'select count(*)::int as count from agent_host group by xmin::text order by 1 desc',
  );
  expect(batches.map(({ count }) => count)).toEqual([maxHostsAtOnce, maxHostsAtOnce, 50]);
  expect(
    await database.query(
      `select distinct state, (select count(*)::int from event_log where type = 'host.offline') as events from game_instance`,
    ),
  ).toEqual([{ state: 'offline', events: silent.length }]);
});

it('are fewer in a transaction where they have many instances', async () => {
  const { replica } = await createListeningReplica();
  const silent = await createSilentHosts(7, 1_000);
  expect((await replica.sweep()).toSorted()).toEqual(silent);
  const batches = await database.query<{ count: number }>(
    'select count(*)::int as count from agent_host group by xmin::text order by 1 desc',
  );
  expect(batches).toEqual([{ count: 5 }, { count: 2 }]);
});

it.each([
  ['host', 'select from agent_host where id = $1 for no key update'],
  ['instance', 'select from game_instance where host_id = $1 for no key update'],
])('do not wait for a transaction that holds a %s, and delay no other', async (_what, lock) => {
  const { replica } = await createListeningReplica();
  const [held = '', ...others] = await createSilentHosts(3, 2);
  const client = await connection.pool.connect();
  try {
    await client.query('begin');
    await client.query(lock, [held]);
    expect((await replica.sweep()).toSorted()).toEqual(others);
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect(await replica.sweep()).toEqual([held]);
});

it('are none while heartbeats wait to be stored, nor for the silence limit afterwards', async () => {
  const { replica, ears } = await createListeningReplica();
  await createSilentHosts(2);
  ears.waitMs = heartbeatIntervalMs;
  expect(await replica.sweep()).toEqual([]);
  ears.waitMs = 0;
  expect(await replica.sweep()).toEqual([]);
  await age();
  expect(await replica.sweep()).toHaveLength(2);
});

it('are those that missed three heartbeats, not two', async () => {
  const { replica } = await createListeningReplica(600_000);
  await createSilentHosts(1);
  const heard = (minutes: number) =>
    database.query('update agent_host set last_heartbeat_at = now() - make_interval(mins => $1)', [minutes]);
  await heard(25);
  expect(await replica.sweep()).toEqual([]);
  await heard(31);
  expect(await replica.sweep()).toHaveLength(1);
});

it('exclude those whose heartbeat has just arrived', async () => {
  const { replica, ears } = await createListeningReplica();
  const [heard = '', silent] = await createSilentHosts(2);
  ears.waiting = [heard];
  expect(await replica.sweep()).toEqual([silent]);
});

describe('are none once the listener itself paused:', () => {
  const pauses: [string, (own: ReturnType<typeof createReplica>) => unknown][] = [
    ['the process stood still', ({ clock }) => (clock.aheadMs += 45_000)],
    ['the bus was away', ({ ears }) => (ears.busLossCount += 1)],
    [
      'the bus did not respond',
      async ({ ears, replica }) => {
        ears.checkBus = () => Promise.reject(new Error('frozen'));
        expect(await replica.sweep()).toEqual([]);
        ears.checkBus = () => Promise.resolve();
      },
    ],
    ['the database’s clock was set, or the whole machine slept', ({ clock }) => (clock.aheadMs += 5_000)],
    ['its clock went another way', ({ clock }) => (clock.aheadMs -= 5_000)],
    ['it has only begun', () => database.query('update ingest_listener set listening_since = now()')],
  ];

  it.each(pauses)('%s', async (_name, pause) => {
    const own = await createListeningReplica();
    await createSilentHosts(2);
    await pause(own);
    expect(await own.replica.sweep()).toEqual([]);
    expect(await own.replica.sweep()).toEqual([]);
    expect(await onlineCount()).toBe(2);
    await age();
    expect(await own.replica.sweep()).toHaveLength(2);
  });
});

describe('once heartbeats may have been lost, are those that leave two requests in a row without a reply', () => {
  const losses: [string, (own: ReturnType<typeof createReplica>) => void][] = [
    ['after a loss of their connection', ({ ears }) => (ears.heartbeatLossCount += 1)],
    ['while none come through', ({ ears }) => (ears.catchUp = () => Promise.reject(new Error('behind')))],
  ];

  it.each(losses)('%s', async (_name, lose) => {
    const own = await createListeningReplica();
    const [there = '', ...gone] = await createSilentHosts(3);
    own.ears.there = [there];
    lose(own);
    expect(await own.replica.sweep()).toEqual([]);
    expect(own.ears.asked.toSorted()).toEqual([there, ...gone]);
    expect(own.ears.alive).toEqual([there]);
    expect((await own.replica.sweep()).toSorted()).toEqual(gone);
  });

  it('however often the connection is lost', async () => {
    const own = await createListeningReplica();
    const silent = await createSilentHosts(2);
    own.ears.heartbeatLossCount += 1;
    expect(await own.replica.sweep()).toEqual([]);
    own.ears.heartbeatLossCount += 1;
    expect((await own.replica.sweep()).toSorted()).toEqual(silent);
  });

  it('excluding one that replies in between', async () => {
    const own = await createListeningReplica();
    const [host = ''] = await createSilentHosts(1);
    own.ears.heartbeatLossCount += 1;
    for (const there of [[], [host], []]) {
      own.ears.there = there;
      expect(await own.replica.sweep()).toEqual([]);
    }
    expect(await own.replica.sweep()).toEqual([host]);
  });

  it('and a host heard within three heartbeats gets no request', async () => {
    const own = await createListeningReplica();
    await createSilentHosts(1);
    await database.query(`update agent_host set last_heartbeat_at = now() - interval '15 seconds'`);
    own.ears.heartbeatLossCount += 1;
    expect(await own.replica.sweep()).toEqual([]);
    expect(own.ears.asked).toEqual([]);
  });

  it('until a loss-free time of the silence limit has passed', async () => {
    const own = await createListeningReplica();
    const silent = await createSilentHosts(1);
    own.ears.there = silent;
    own.ears.heartbeatLossCount += 1;
    expect(await own.replica.sweep()).toEqual([]);
    expect(own.ears.asked).toEqual(silent);
    await database.query(`update ingest_listener set doubted_at = now() - interval '31 seconds'`);
    expect(await own.replica.sweep()).toEqual(silent);
    expect(own.ears.asked).toEqual(silent);
  });

  it('also where another replica lost them', async () => {
    const own = await createListeningReplica();
    const other = await createListeningReplica();
    const silent = await createSilentHosts(1);
    other.ears.heartbeatLossCount += 1;
    expect(await other.replica.sweep()).toEqual([]);
    expect(await own.replica.sweep()).toEqual([]);
    expect(own.ears.asked).toEqual(silent);
    expect(await own.replica.sweep()).toEqual(silent);
  });
});

describe('with other replicas, which share the heartbeats', () => {
  it('are none while one of them does not listen, until it has signed off', async () => {
    const own = await createListeningReplica();
    const other = await createListeningReplica();
    await createSilentHosts(1);
    await database.query(
      `update ingest_listener set confirmed_at = now() - interval '30 seconds'
       where id <> (select id from ingest_listener order by confirmed_at limit 1)`,
    );
    expect(await own.replica.sweep()).toEqual([]);
    await other.replica.close();
    expect(await own.replica.sweep()).toHaveLength(1);
  });

  it('are none until a paused one has listened for long enough again', async () => {
    const own = await createListeningReplica();
    const other = await createListeningReplica();
    await createSilentHosts(1);
    other.clock.aheadMs += 45_000;
    expect(await other.replica.sweep()).toEqual([]);
    expect(await own.replica.sweep()).toEqual([]);
    await age();
    expect(await own.replica.sweep()).toHaveLength(1);
  });

  it('are found again once a dead replica is removed', async () => {
    const own = await createListeningReplica();
    await createListeningReplica();
    await createSilentHosts(1);
    await database.query(
      `update ingest_listener set confirmed_at = now() - interval '2 minutes'
       where confirmed_at = (select max(confirmed_at) from ingest_listener)`,
    );
    expect(await own.replica.sweep()).toHaveLength(1);
  });
});
