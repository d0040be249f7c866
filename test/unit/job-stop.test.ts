// Jobs of a process that starts and stops: a start warns of nothing; at the stop no more are taken, and interrupted
// ones return to the queue without counting an attempt.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Transactions } from '../../src/database/transactions.ts';
import { startJobs } from '../../src/jobs/runner.ts';
import type { TaskServices } from '../../src/jobs/tasks.ts';
import { WorkMonitor } from '../../src/process/work-monitor.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });

let database: TestDatabase;
let monitor: WorkMonitor;
/** Settles the sending of each message. */
let sending: PromiseWithResolvers<void>[];
/** Settles periodic work that looks for due schedules. */
let chore: PromiseWithResolvers<void>;
let choreRuns: boolean;

beforeEach(async () => {
  database = await createTestDatabase();
  monitor = new WorkMonitor(log);
  sending = [];
  lines.length = 0;
  chore = Promise.withResolvers();
  choreRuns = false;
});

afterEach(async () => {
  for (const { resolve } of sending) resolve();
  chore.resolve();
  monitor.close();
  await database.drop();
});

const idle: unknown = new Proxy({}, { get: () => () => Promise.resolve() });

function start(graceMs: number): Promise<() => Promise<void>> {
  const own: Record<string, unknown> = {
    findDue: (conditions: string[]) => Promise.resolve(conditions.map(() => true)),
    postman: {
      send: () => {
        const message = Promise.withResolvers<void>();
        sending.push(message);
        return message.promise;
      },
    },
    playerSessions: {
      deriveDue: () => {
        choreRuns = true;
        return chore.promise;
      },
    },
  };
  const services = new Proxy({}, { get: (_target, name) => own[String(name)] ?? idle }) as TaskServices;
  const transactions = new Transactions(undefined as never, log);
  return startJobs({ database: { url: database.url }, services, transactions, monitor, graceMs, log });
}

async function enqueue(): Promise<void> {
  await database.query(`select enqueue_job('send-mail', $1::json)`, [{ id: randomUUID(), sealed: '' }]);
}

const jobs = () =>
  database.query(
    'select attempts::int, locked_by is not null as held, last_error from graphile_worker._private_jobs order by id',
  );

it('are run without warnings', async () => {
  chore.resolve();
  await (
    await start(60_000)
  )();
  expect(lines.filter((line) => line.includes('"component":"jobs"'))).toEqual([]);
});

it('an interrupted one returns to the queue unchanged, for any later outcome', async () => {
  const stop = await start(50);
  await enqueue();
  await enqueue();
  await until(() => sending.length === 2, 'the sending of both');
  await stop();
  const asBefore = { attempts: 0, held: false, last_error: null };
  expect(await jobs()).toEqual([asBefore, asBefore]);
  sending[0]?.reject(new Error('Cannot use a pool after calling end on the pool'));
  sending[1]?.resolve();
  await Promise.allSettled(sending.map(({ promise }) => promise));
  expect(await jobs()).toEqual([asBefore, asBefore]);
});

it('ones whose outcomes could not be written are free at once, and the lane continues', async () => {
  const stop = await start(50);
  const lost = () => lines.filter((line) => line.includes('Failed to fail jobs')).length;
  try {
    await enqueue();
    await enqueue();
    await until(() => sending.length === 2, 'the sending of both');
    await database.query('alter table graphile_worker._private_jobs rename to away');
    for (const [index, { reject }] of [...sending].entries()) {
      reject(new Error('the database is gone too'));
      await until(() => lost() > index, 'the loss of the outcome', 10_000);
    }
    await database.query('alter table graphile_worker.away rename to _private_jobs');
    await until(() => sending.length >= 4, 'another attempt of both', 30_000);
  } finally {
    await stop();
  }
});

it('one that fails while the process waits for it counts as failed', async () => {
  chore.resolve();
  const stop = await start(20_000);
  await enqueue();
  await until(() => sending.length === 1, 'the sending');
  const stopped = stop();
  sending[0]?.reject(new Error('the mail server is away'));
  await stopped;
  expect(await jobs()).toEqual([{ attempts: 1, held: false, last_error: 'the mail server is away' }]);
});

it('one that finishes in time is done, and none is taken meanwhile, although periodic work still runs', async () => {
  const stop = await start(20_000);
  await until(() => choreRuns, 'the chore');
  await enqueue();
  await until(() => sending.length === 1, 'the sending');
  const stopped = stop();
  await enqueue();
  sending[0]?.resolve();
  await until(async () => (await jobs()).length === 1, 'the end of the first');
  chore.resolve();
  await stopped;
  expect(sending).toHaveLength(1);
  expect(await jobs()).toEqual([{ attempts: 0, held: false, last_error: null }]);
});
