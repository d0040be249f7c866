// What a run of the jobs held when it ended is free again, also when the database was away in that moment.
import { runMigrations } from 'graphile-worker';
import { pino } from 'pino';
import { WorkerLedger } from '../../src/jobs/crashed-workers.ts';
import { createTestDatabase, executeOnce, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });

let database: TestDatabase;
let ledger: WorkerLedger;

beforeEach(async () => {
  database = await createTestDatabase();
  await runMigrations({ connectionString: database.url });
  ledger = new WorkerLedger({ url: database.url }, log);
  await ledger.register('worker-of-the-run');
  await database.query(`select graphile_worker.add_job('send-mail', '{}')`);
  await database.query(
    `update graphile_worker._private_jobs set locked_by = 'worker-of-the-run', locked_at = now()`,
  );
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

/** The ledger loses its connection and gets no other one. */
async function takeDatabaseAway(): Promise<void> {
  await allowConnections(false);
  await database.query(`select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);
}

/** The loss of a connection takes a moment to be noticed; until then what is asked over it fails. */
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

it('frees the jobs of a run that ended while the database was away', async () => {
  await takeDatabaseAway();
  await expect(ledger.release(['worker-of-the-run'])).rejects.toThrow();
  expect(await held()).toEqual([{ jobs: 1, workers: 1 }]);
  await allowConnections(true);
  await onceReachable(() => ledger.freeCrashed());
  expect(await held()).toEqual([{ jobs: 0, workers: 0 }]);
});

it('frees them at the latest when the process ends', async () => {
  await takeDatabaseAway();
  await expect(ledger.release(['worker-of-the-run'])).rejects.toThrow();
  await allowConnections(true);
  await onceReachable(() => ledger.close());
  expect(await held()).toEqual([{ jobs: 0, workers: 0 }]);
});

it('leaves alone what a worker holds that has not ended', async () => {
  await ledger.freeCrashed();
  expect(await held()).toEqual([{ jobs: 1, workers: 1 }]);
});
