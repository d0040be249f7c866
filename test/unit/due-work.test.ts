// Periodic work costs what is due, not what exists: it reads no more database blocks for twenty times as many
// licenses.
import { pino } from 'pino';
import { createChores, type Chore } from '../../src/jobs/chores.ts';
import { createTasks, crontab, type Tasks } from '../../src/jobs/tasks.ts';
import { defaultPayments } from '../../src/payments/settings.ts';
import type { Closers, PlatformOptions } from '../../src/process-roles/options.ts';
import { openTaskServices } from '../../src/process-roles/jobs.ts';
import { openParts, type Parts } from '../../src/process-roles/parts.ts';
import { queues } from '../../src/services/admin-health/queue-ages.ts';
import { SilentHosts } from '../../src/services/agents/silent-hosts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createIdleLicenses } from '../support/idle-licenses.ts';
import { startTestNats, type TestNats } from '../support/nats.ts';

const few = 100;
const many = 20 * few;
/** PostgreSQL rereads its catalogs occasionally; the minimum of many counts excludes that. */
const counts = 3;
/** The index of a larger table may be one level deeper. */
const maxFurther = 60;

interface Work {
  name: string;
  work: () => Promise<unknown>;
}

let database: TestDatabase;
let nats: TestNats;
let parts: Parts;
let works: Work[];
const closers: Closers = [];

beforeAll(async () => {
  [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
  const secret = 'a secret of the tests that is long enough';
  const options: PlatformOptions = {
    databaseUrl: database.url,
    poolSize: 1,
    bus: { ...nats, agentUrls: [nats.url] },
    allowOpenBus: false,
    jwtSecret: secret,
    encryptionSecret: secret,
    mail: { smtpUrl: undefined, from: 'Gantry <gantry@example.com>', directory: '/nowhere' },
    storage: { directory: '/nowhere' },
    payments: defaultPayments,
    roles: new Set(['jobs']),
    host: '127.0.0.1',
    port: 0,
    heartbeatIntervalSeconds: 10,
    bootstrap: undefined,
    validateReplies: true,
    log: pino({ level: 'silent' }),
  };
  parts = await openParts(options, closers);
  const services = openTaskServices(parts, options, closers);
  const tasks = createTasks(services);
  const silentHosts = new SilentHosts({
    platform: parts.platform,
    heartbeatIntervalMs: 10_000,
    listening: {
      catchUp: () => Promise.resolve(),
      checkBus: () => Promise.resolve(),
      busLossCount: 0,
      heartbeatLossCount: 0,
      isThere: () => Promise.resolve(true),
      recordAlive: () => undefined,
      oldestWaitMs: () => 0,
      waitingHosts: () => [],
    },
  });
  const chores = createChores(services);
  works = [
    ...chores,
    {
      name: 'look for due work',
      work: () => services.findDue(chores.flatMap((chore: Chore) => chore.due ?? [])),
    },
    ...crontab.map(({ task }) => ({
      name: task,
      work: () => tasks[task as keyof Tasks](undefined as never),
    })),
    { name: 'find stale hosts', work: () => silentHosts.sweep() },
  ];
});

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
  await nats.stop();
  await database.drop();
});

/** The one connection for reads and the one for writes. */
const connections = [
  async (sql: string) => (await parts.database.pool.query<{ pid: number }>(sql)).rows,
  (sql: string) => parts.platform.transact('jobs', (em) => em.execute<{ pid: number }[]>(sql)),
];

/** Before 18, PostgreSQL counts blocks of a whole database, which here has no other clients. */
async function blocksOf(pids: number[]): Promise<number> {
  const [server] = await database.query<{ counts_sessions: boolean }>(
    `select to_regproc('pg_stat_get_backend_io') is not null as counts_sessions`,
  );
  const [row] = await database.query<{ blocks: number }>(
    server?.counts_sessions === true
      ? 'select sum(hits + reads)::int as blocks from unnest($1::int[]) as pid, pg_stat_get_backend_io(pid)'
      : `select (blks_hit + blks_read)::int as blocks from pg_stat_database
         where datname = current_database() and cardinality($1::int[]) > 0`,
    [pids],
  );
  return row?.blocks ?? 0;
}

/** Blocks of the database that both connections have read so far. */
async function touched(): Promise<number> {
  const pids: number[] = [];
  for (const query of connections)
    for (const { pid } of await query('select pg_backend_pid() as pid, pg_stat_force_next_flush()'))
      pids.push(pid);
  return blocksOf(pids);
}

async function costOf({ work }: Work): Promise<number> {
  await work();
  const costs: number[] = [];
  for (let count = 0; count < counts; count += 1) {
    const before = await touched();
    await work();
    costs.push((await touched()) - before);
  }
  return Math.min(...costs);
}

async function costs(): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  for (const work of works) known.set(work.name, await costOf(work));
  return known;
}

/** Work that reads everything, which is what it is for, and how often. */
const comparesEverything: Record<string, string> = {
  'recount-platform': 'once a night',
};

/** The queues that alert an operator when the work falls behind; or why there is none. */
const watchedBy: Record<string, string[] | string> = {
  'look for due work': 'takes no rows',
  'announce runs of schedules': 'what is not announced in time is not announced',
  'evaluate alerts': 'evaluates one license after another, and takes no rows',
  'count the platform': 'figures that are read include what it has not counted yet',
  'count for analytics': ['session_change', 'map_sighting', 'wipe_retention'],
  'send deliveries': ['store_delivery'],
  'find players of deliveries': 'waits for players, as long as that takes',
  'give up deliveries': 'only ends rows that nothing can become of',
  'ask for payments': ['store_order'],
  'give up orders': 'only ends rows that nothing can become of',
  'lift bans': ['player_action'],
  'derive player sessions': ['player_session_due'],
  'resume stuck commands': 'only repeats what the jobs of commands do',
  'expire commands': 'only ends rows that nothing can become of',
  'sweep the storage': 'removes files, and takes no rows',
  'run due schedules': ['schedule'],
  'end lost runs of schedules': 'only ends rows that nothing can become of',
  'roll stats up': ['instance_stats_5m'],
  'pack stats': ['instance_stats_due'],
  'relay events': ['event_relay'],
  'begin turns of webhooks': ['webhook_delivery'],
  'replay webhooks': 'waits for the receivers, as long as they need',
  'begin turns of notifications': ['notification'],
  'begin turns of mail': ['notification'],
  'watch queues': 'raises these alerts itself',
  'delete expired sandboxes': 'removes what is old',
  'follow clocks of sandboxes': 'simulates for tests of developers; nothing real waits for it',
  'mark unused sandboxes': 'simulates for tests of developers; nothing real waits for it',
  'lease simulated hosts': 'divides tests of developers among processes, and takes no rows',
  'step simulated hosts': 'simulates for tests of developers; nothing real waits for it',
  'end lost wipes': 'only ends rows that nothing can become of',
  housekeeping: 'removes what is old',
  'delete-old': 'removes what is old',
  'archive-months': 'copies what stays in the database, and counts the months that wait',
  'recount-platform': 'corrects what is wrong, and takes no rows',
  'renew-module-subscriptions': ['subscription'],
  'record-reseller-bills': ['reseller_bill'],
  'find stale hosts': 'is work of the role ingest',
};

it('has a queue with a monitored age wherever it takes due rows', () => {
  expect(Object.keys(watchedBy).sort()).toEqual(works.map(({ name }) => name).sort());
  const watched = Object.values(watchedBy).filter((value) => Array.isArray(value));
  expect([...new Set(['jobs', ...watched.flat()])].sort()).toEqual(Object.keys(queues).sort());
});

it('when nothing is due for any license', async () => {
  await createIdleLicenses(database, 1, few);
  const before = await costs();
  await createIdleLicenses(database, few + 1, many);
  const grown = [...(await costs())].filter(
    ([name, cost]) => !(name in comparesEverything) && cost - (before.get(name) ?? 0) > maxFurther,
  );
  expect(grown.map(([name, cost]) => ({ name, before: before.get(name), after: cost }))).toEqual([]);
});
