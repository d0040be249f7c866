// Jobs of dead processes, ended runs and unknown workers are released; those of a living process stay its
// own.
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { pino } from 'pino';
import { WorkerLedger } from '../../src/jobs/crashed-workers.ts';
import {
  createTestDatabase,
  executeOnce,
  socketOf,
  urlThrough,
  type TestDatabase,
} from '../support/database.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });
const worker = 'worker-of-the-run';
const ignore = () => undefined;

let database: TestDatabase;
let ledger: WorkerLedger;

/** Its checks count as separate even without a delay between them. */
const openLedger = (url = database.url, more: object = {}) =>
  new WorkerLedger({ database: { url }, confirmMs: 0, log, ...more });

beforeEach(async () => {
  database = await createTestDatabase();
  await runMigrations({ connectionString: database.url });
  ledger = openLedger();
  await ledger.register(worker, ignore);
  await database.query(`select graphile_worker.add_job('send-mail', '{}')`);
  await database.query('update graphile_worker._private_jobs set locked_by = $1, locked_at = now()', [
    worker,
  ]);
});

afterEach(async () => {
  await allowConnections(true);
  await ledger.close();
  await database.drop();
});

const server = () => process.env['GANTRY_TEST_DATABASE_URL'] ?? '';

async function allowConnections(isAllowed: boolean): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  await executeOnce(server(), `alter database ${name} allow_connections ${isAllowed}`);
}

const endLedgerSessions = () =>
  database.query(`select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);

/** Cuts the ledger's connection and prevents a new one. */
async function takeDatabaseAway(): Promise<void> {
  await allowConnections(false);
  await endLedgerSessions();
}

/** Losing a connection takes a moment to be noticed; until then queries over it fail. */
async function onceReachable(work: () => Promise<void>): Promise<void> {
  await until(
    () =>
      work().then(
        () => true,
        () => false,
      ),
    'a connection',
  );
}

async function held(): Promise<{ jobs: number; workers: number }[]> {
  return database.query(`select
    (select count(*)::int from graphile_worker._private_jobs where locked_by is not null) as jobs,
    (select count(*)::int from job_worker) as workers`);
}

it('releases the jobs of a run that ended while the database was away', async () => {
  await takeDatabaseAway();
  await expect(ledger.release([worker])).rejects.toThrow();
  expect(await held()).toEqual([{ jobs: 1, workers: 1 }]);
  await allowConnections(true);
  await onceReachable(() => ledger.freeCrashed());
  expect(await held()).toEqual([{ jobs: 0, workers: 0 }]);
});

it('releases them when the process ends, at the latest', async () => {
  await takeDatabaseAway();
  await expect(ledger.release([worker])).rejects.toThrow();
  await allowConnections(true);
  await onceReachable(() => ledger.close());
  expect(await held()).toEqual([{ jobs: 0, workers: 0 }]);
});

it('keeps the jobs of a worker that has not ended', async () => {
  await ledger.freeCrashed();
  await ledger.freeCrashed();
  expect(await held()).toEqual([{ jobs: 1, workers: 1 }]);
});

it('never waits for its own former session that the server still considers alive', async () => {
  const proxy = await TcpProxy.start({ path: socketOf(database) });
  const url = urlThrough(proxy.port, database);
  const limits = { connectMs: 5_000, statementMs: 5_000, silenceMs: 500 };
  const own = openLedger(url, { database: { url, limits } });
  try {
    await own.register('first', ignore);
    proxy.mute();
    await expect(own.freeCrashed()).rejects.toThrow('silent');
    await own.register('second', ignore);
    const rows = await database.query(
      `select count(distinct process)::int as numbers, count(*)::int as workers from job_worker
       where worker_id in ('first', 'second')`,
    );
    expect(rows).toEqual([{ numbers: 1, workers: 2 }]);
    const locks = await database.query(`select 1 from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`);
    expect(locks).toHaveLength(3);
  } finally {
    await own.close();
    await proxy.stop();
  }
});

describe('jobs of a process whose lock is gone', () => {
  const dead = { id: 'worker-of-the-dead', process: 7 };

  beforeEach(async () => {
    await database.query('insert into job_worker (worker_id, process) values ($1, $2)', [
      dead.id,
      dead.process,
    ]);
    await database.query('update graphile_worker._private_jobs set locked_by = $1', [dead.id]);
  });

  it('are released by the second check that finds it gone', async () => {
    await ledger.freeCrashed();
    expect(await held()).toEqual([{ jobs: 1, workers: 2 }]);
    await ledger.freeCrashed();
    expect(await held()).toEqual([{ jobs: 0, workers: 1 }]);
  });

  it('stay its own when it has reconnected in between', async () => {
    await ledger.freeCrashed();
    const client = await holdLock(dead.process);
    await ledger.freeCrashed();
    await client.end();
    await until(async () => (await locksOf(dead.process)) === 0, 'the end of the lock');
    await ledger.freeCrashed();
    expect(await held()).toEqual([{ jobs: 1, workers: 2 }]);
  });

  it('are released although the server keeps its session, once that has been silent for too long', async () => {
    const client = await holdLock(dead.process);
    const patient = openLedger();
    const impatient = openLedger(database.url, { maxSilenceSeconds: 0 });
    await patient.register('patient', ignore);
    for (let check = 0; check < 2; check += 1) await patient.freeCrashed();
    expect(await held()).toEqual([{ jobs: 1, workers: 3 }]);
    await patient.close();
    for (let check = 0; check < 2; check += 1) await impatient.freeCrashed();
    expect((await held())[0]?.jobs).toBe(0);
    await impatient.close();
    await client.end();
  });
});

async function holdLock(process: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('select pg_advisory_lock(7261640, $1)', [process]);
  return client;
}

const locksOf = async (process: number) =>
  (
    await database.query(
      `select 1 from pg_locks where locktype = 'advisory' and objid = $1
       and database = (select oid from pg_database where datname = current_database())`,
      [process],
    )
  ).length;

it('a process that was considered dead learns which of its workers lost their jobs, and never takes them back', async () => {
  const lost: string[] = [];
  const paused = openLedger();
  await paused.register('paused', () => lost.push('paused'));
  await database.query(`delete from job_worker where worker_id = 'paused'`);
  await paused.freeCrashed();
  expect(lost).toEqual(['paused']);
  await paused.freeCrashed();
  expect(lost).toEqual(['paused']);
  expect(await database.query(`select 1 from job_worker where worker_id = 'paused'`)).toEqual([]);
  await paused.close();
});

it('reconnects as soon as its connection is lost, before its jobs are released', async () => {
  const [before] = await database.query('select process from job_worker');
  await endLedgerSessions();
  await until(
    async () =>
      (await database.query('select process from job_worker'))[0]?.['process'] !== before?.['process'],
    'another connection',
  );
  const other = openLedger();
  for (let check = 0; check < 2; check += 1) await other.freeCrashed();
  expect(await held()).toEqual([{ jobs: 1, workers: 1 }]);
  await other.close();
});

it.each([
  [4, 1],
  [6, 0],
])('%d minutes after a worker outside every ledger took it, %d jobs are held', async (minutes, jobs) => {
  await database.query(
    `update graphile_worker._private_jobs set locked_by = 'unknown', locked_at = now() - $1 * interval '1 minute'`,
    [minutes],
  );
  await ledger.freeCrashed();
  expect((await held())[0]?.jobs).toBe(jobs);
});
