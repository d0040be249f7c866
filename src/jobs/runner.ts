// Runs the jobs of the queue and the work that comes round at intervals.
import { EventEmitter } from 'node:events';
import {
  Logger as WorkerLogger,
  parseCronItems,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Logger } from 'pino';
import type { PlatformScope } from '../database/platform-scope.ts';
import { startPeriodic } from '../periodic.ts';
import type { BusRevocations } from '../services/bus-revocations.ts';
import type { CommandRelay } from '../services/command-relay.ts';
import { WorkerLedger } from './crashed-workers.ts';
import { expireCommands, keepHouse } from './housekeeping.ts';
import type { JobPayloads } from './payloads.ts';

/** Jobs mostly wait for others: agents, receivers, mail servers. */
const concurrency = 20;
const crashCheckMs = 10_000;
const stuckCheckMs = 5_000;
const expiryCheckMs = 10_000;

type Jobs = { [Name in keyof JobPayloads]: (payload: JobPayloads[Name]) => Promise<void> };

export interface JobsOptions {
  databaseUrl: string;
  platform: PlatformScope;
  relay: CommandRelay;
  revocations: BusRevocations;
  log: Logger;
}

/** Starts the jobs; the function it answers lets those under way finish. */
export async function startJobs(options: JobsOptions): Promise<() => Promise<void>> {
  const { databaseUrl, platform, relay, revocations, log } = options;
  const jobs: Jobs = {
    'relay-commands': ({ host_id }) => relay.relay(host_id),
    'publish-revocations': () => revocations.publish(),
    housekeeping: () => keepHouse(platform),
  };
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
    taskList: taskListOf(jobs),
    parsedCronItems: parseCronItems([
      { task: 'housekeeping', match: '*/10 * * * *', options: { backfillPeriod: 0 } },
    ]),
    logger: workerLogger(log),
  });
  const periodic = [
    startPeriodic({
      name: 'free jobs of crashed processes',
      everyMs: crashCheckMs,
      work: () => ledger.freeCrashed(),
      log,
    }),
    startPeriodic({
      name: 'resume stuck commands',
      everyMs: stuckCheckMs,
      work: () => relay.resumeStuck(),
      log,
    }),
    startPeriodic({
      name: 'expire commands',
      everyMs: expiryCheckMs,
      work: () => expireCommands(platform),
      log,
    }),
  ];
  return async () => {
    await Promise.all(periodic.map((stop) => stop()));
    await runner.stop();
    await ledger.close();
  };
}

function taskListOf(jobs: Jobs): TaskList {
  return Object.fromEntries(
    Object.entries(jobs).map(([name, work]) => [name, (payload: unknown) => work(payload as never)]),
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
