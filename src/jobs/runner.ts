// Runs the jobs of the queue and the work that comes round at intervals.
import { EventEmitter } from 'node:events';
import { Logger as WorkerLogger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import pRetry from 'p-retry';
import type { Logger } from 'pino';
import type { Transactions } from '../database/transactions.ts';
import { startPeriodic } from '../periodic.ts';
import { WorkerLedger } from './crashed-workers.ts';
import { createChores, createTasks, crontab, type Tasks, type TaskServices } from './tasks.ts';

/** Jobs mostly wait for others: agents, receivers, mail servers. */
const concurrency = 20;
const crashCheckMs = 10_000;

export interface JobsOptions {
  databaseUrl: string;
  services: TaskServices;
  transactions: Transactions;
  log: Logger;
}

/** Starts the jobs and keeps them running; the function it answers lets those under way finish. */
export async function startJobs(options: JobsOptions): Promise<() => Promise<void>> {
  const { services, log } = options;
  const stopping = new AbortController();
  let run = await startRun(options);

  /** A run ends by itself when the database is lost at the wrong moment; what it held is freed for the next one. */
  async function keepRunning(): Promise<void> {
    for (;;) {
      const failure = await run.ended;
      if (stopping.signal.aborted) return;
      log.error({ err: failure }, 'the jobs have ended; they are started again');
      await run.abandon();
      run = await pRetry(() => startRun(options), {
        retries: Infinity,
        minTimeout: 200,
        maxTimeout: 5_000,
        signal: stopping.signal,
        onFailedAttempt: ({ error }) => log.warn({ err: error }, 'the jobs could not be started again yet'),
      });
    }
  }

  const supervision = keepRunning().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.fatal({ err: error }, 'the jobs have ended for good');
  });
  const chores = [
    { name: 'free jobs of crashed processes', everyMs: crashCheckMs, work: () => run.freeCrashed() },
    ...createChores(services),
  ];
  const periodic = chores.map((chore) => startPeriodic({ ...chore, log }));
  return async () => {
    stopping.abort();
    await Promise.all(periodic.map((stop) => stop()));
    await run.stop();
    await supervision;
  };
}

interface Run {
  /** Settles once it has ended, with the reason if it was not asked to. */
  ended: Promise<unknown>;
  freeCrashed(): Promise<void>;
  stop(): Promise<void>;
  /** Gives up what a run that has ended by itself still holds. */
  abandon(): Promise<void>;
}

async function startRun({ databaseUrl, services, transactions, log }: JobsOptions): Promise<Run> {
  const ledger = new WorkerLedger(databaseUrl, log);
  await ledger.freeCrashed();
  const events: WorkerEvents = new EventEmitter();
  const note = (workerId: string) =>
    void ledger
      .register(workerId)
      .catch((error: unknown) => log.error({ err: error }, 'a worker could not be noted'));
  // Jobs are held in the name of the pool or of one of its workers.
  events.on('pool:create', ({ workerPool }) => note(workerPool.id));
  events.on('worker:create', ({ worker }) => note(worker.workerId));
  const runner = await run({
    events,
    preset: {
      worker: {
        connectionString: databaseUrl,
        maxPoolSize: concurrency,
        concurrentJobs: concurrency,
        pollInterval: 2_000,
        // Without a batch, a job whose end can't be written would end the process.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    noHandleSignals: true,
    taskList: taskListOf(createTasks(services), transactions),
    parsedCronItems: crontab,
    logger: workerLogger(log),
  });
  return {
    ended: runner.promise.then(
      () => undefined,
      (error: unknown) => error ?? new Error('the runner gave no reason'),
    ),
    freeCrashed: () => ledger.freeCrashed(),
    stop: async () => {
      await runner.stop().catch((error: unknown) => log.warn({ err: error }, 'stopping the jobs'));
      await ledger.close();
    },
    abandon: () =>
      ledger.abandon().catch((error: unknown) => log.warn({ err: error }, 'the jobs of a run stay held')),
  };
}

/** The audit log names the job for what it changes. */
function taskListOf(tasks: Tasks, transactions: Transactions): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, work]) => [
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
