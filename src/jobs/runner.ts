// Runs the jobs of the queue and the work that comes round at intervals.
import { EventEmitter } from 'node:events';
import { Logger as WorkerLogger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import pRetry from 'p-retry';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Transactions } from '../database/transactions.ts';
import { startPeriodic } from '../periodic.ts';
import { WorkerLedger } from './crashed-workers.ts';
import { laneOf, lanes, type Lane, type LaneName } from './lanes.ts';
import { LicenseShares } from './license-shares.ts';
import { createChores, createTasks, crontab, type Tasks, type TaskServices } from './tasks.ts';

const crashCheckMs = 10_000;
/** Connections for fetching and ending the jobs of all lanes; each lane listens on one more for new jobs. */
const poolSize = 10 + Object.keys(lanes).length;

export interface JobsOptions {
  databaseUrl: string;
  services: TaskServices;
  transactions: Transactions;
  log: Logger;
}

/** Starts the jobs and keeps them running; the returned function lets those under way finish. */
export async function startJobs(options: JobsOptions): Promise<() => Promise<void>> {
  const { databaseUrl, services, transactions, log } = options;
  const stopping = new AbortController();
  const pool = createPool(databaseUrl, log);
  const ledger = new WorkerLedger(databaseUrl, log);
  const tasks = createTasks(services);
  const laneNames = Object.keys(lanes) as LaneName[];
  const parts = { pool, ledger, tasks, transactions, log };
  let stopLanes: (() => Promise<void>)[] = [];
  const close = async () => {
    await ledger.close().catch((error: unknown) => log.warn({ err: error }, 'closing the worker ledger'));
    await pool.end();
  };
  try {
    await ledger.freeCrashed();
    // The first one creates what the queue needs of the database.
    for (const name of laneNames)
      stopLanes = [...stopLanes, await keepLaneRunning(name, parts, stopping.signal)];
  } catch (error) {
    stopping.abort();
    await Promise.all(stopLanes.map((stop) => stop()));
    await close();
    throw error;
  }
  const chores = [
    { name: 'free jobs of crashed processes', everyMs: crashCheckMs, work: () => ledger.freeCrashed() },
    ...createChores(services),
  ];
  const periodic = chores.map((chore) => startPeriodic({ ...chore, log }));
  return async () => {
    stopping.abort();
    await Promise.all(periodic.map((stop) => stop()));
    await Promise.all(stopLanes.map((stop) => stop()));
    await close();
  };
}

interface LaneParts {
  pool: pg.Pool;
  ledger: WorkerLedger;
  tasks: Tasks;
  transactions: Transactions;
  log: Logger;
}

/** A run ends by itself when the database is lost at the wrong moment; what it held is freed for the next one. */
async function keepLaneRunning(
  name: LaneName,
  parts: LaneParts,
  stopping: AbortSignal,
): Promise<() => Promise<void>> {
  const log = parts.log.child({ lane: name });
  let run = await startRun(name, parts);

  async function keepRunning(): Promise<void> {
    for (;;) {
      const failure = await run.ended;
      if (stopping.aborted) return;
      log.error({ err: failure }, 'the jobs have ended; they are started again');
      await parts.ledger
        .release(run.workers)
        .catch((error: unknown) => log.warn({ err: error }, 'the jobs of a run stay held'));
      run = await pRetry(() => startRun(name, parts), {
        retries: Infinity,
        minTimeout: 200,
        maxTimeout: 5_000,
        signal: stopping,
        onFailedAttempt: ({ error }) => log.warn({ err: error }, 'the jobs could not be started again yet'),
      });
    }
  }

  const supervision = keepRunning().catch((error: unknown) => {
    if (!stopping.aborted) log.fatal({ err: error }, 'the jobs have ended for good');
  });
  return async () => {
    await run.stop();
    await supervision;
  };
}

interface Run {
  /** Settles once it has ended, with the reason if it was not asked to. */
  ended: Promise<unknown>;
  /** Names under which it holds jobs. */
  workers: readonly string[];
  stop(): Promise<void>;
}

async function startRun(name: LaneName, { pool, ledger, tasks, transactions, log }: LaneParts): Promise<Run> {
  const lane: Lane = lanes[name];
  const events: WorkerEvents = new EventEmitter();
  const shares = new LicenseShares(lane, events);
  const workers: string[] = [];
  const register = (workerId: string) => {
    workers.push(workerId);
    void ledger
      .register(workerId)
      .catch((error: unknown) => log.error({ err: error }, 'a worker could not be registered'));
  };
  // Jobs are held in the name of the pool or of one of its workers.
  events.on('pool:create', ({ workerPool }) => register(workerPool.id));
  events.on('worker:create', ({ worker }) => register(worker.workerId));
  const runner = await run({
    events,
    pgPool: pool,
    forbiddenFlags: () => shares.beginLook(),
    preset: {
      worker: {
        concurrentJobs: lane.maxRunning,
        pollInterval: lane.pollMs,
        // Without a batch, a job whose end can't be written would end the process.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    noHandleSignals: true,
    taskList: taskListOf(name, tasks, transactions),
    parsedCronItems: crontab.filter(({ task }) => laneOf[task as keyof Tasks] === name),
    logger: workerLogger(log),
  });
  return {
    ended: runner.promise.then(
      () => undefined,
      (error: unknown) => error ?? new Error('the runner gave no reason'),
    ),
    workers,
    stop: () => runner.stop().catch((error: unknown) => log.warn({ err: error }, 'stopping the jobs')),
  };
}

function createPool(connectionString: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: poolSize });
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection of the jobs was lost');
  pool.on('error', lost);
  // The pool listens to idle clients only; one that is lost while in use would end the process.
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
}

/** The audit log names the job for what it changes. */
function taskListOf(lane: LaneName, tasks: Tasks, transactions: Transactions): TaskList {
  const own = Object.entries(tasks).filter(([name]) => laneOf[name as keyof Tasks] === lane);
  return Object.fromEntries(
    own.map(([name, work]) => [
      name,
      (payload: unknown) =>
        transactions.attribute({ actor: { kind: 'job', id: name, label: name }, operation: name }, () =>
          work(payload as never),
        ),
    ]),
  );
}

function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger((scope) => (level, message, meta) => {
    const fields = { component: 'jobs', ...scope, ...meta };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning') log.warn(fields, message);
    else log.debug(fields, message);
  });
}
