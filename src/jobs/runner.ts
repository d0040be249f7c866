// Runs the jobs of the queue and the work that comes round at intervals.
import { EventEmitter } from 'node:events';
import { Logger as WorkerLogger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
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

/** Starts the jobs; the function it answers lets those under way finish. */
export async function startJobs(options: JobsOptions): Promise<() => Promise<void>> {
  const { databaseUrl, services, transactions, log } = options;
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
    connectionString: databaseUrl,
    maxPoolSize: concurrency,
    concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    taskList: taskListOf(createTasks(services), transactions),
    parsedCronItems: crontab,
    logger: workerLogger(log),
  });
  const chores = [
    { name: 'free jobs of crashed processes', everyMs: crashCheckMs, work: () => ledger.freeCrashed() },
    ...createChores(services),
  ];
  const periodic = chores.map((chore) => startPeriodic({ ...chore, log }));
  return async () => {
    await Promise.all(periodic.map((stop) => stop()));
    await runner.stop();
    await ledger.close();
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
