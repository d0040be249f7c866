// Runs the jobs of the queue and periodic work.
import { EventEmitter } from 'node:events';
import {
  Logger as WorkerLogger,
  run,
  type JobHelpers,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import pRetry from 'p-retry';
import type { Logger } from 'pino';
import { clientConfig, LimitedPool, type ConnectionSettings } from '../database/client.ts';
import type { Transactions } from '../database/transactions.ts';
import { within } from '../process/bounded-wait.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { Watch, WorkMonitor } from '../process/work-monitor.ts';
import { WorkerLedger } from './crashed-workers.ts';
import { CutOff, putBack } from './run-cut-off.ts';
import { createChores, type Chore, type ChoreName, type JobIntervals } from './chores.ts';
import { DueWork } from './due-work.ts';
import { laneOf, lanes, type Lane, type LaneName } from './lanes.ts';
import { LicenseShares } from './license-shares.ts';
import { RunWatch } from './run-watch.ts';
import { createTasks, crontab, type Tasks, type TaskServices } from './tasks.ts';

const crashCheckMs = 4_000;
/** Default grace period for running jobs and chores when the process stops. */
const stopGraceMs = 5_000;
const putBackMs = 2_000;
/** Connections to fetch and complete the jobs of all lanes; each lane listens on one more for new jobs. */
const poolSize = 10 + Object.keys(lanes).length;

export interface JobsOptions {
  database: ConnectionSettings;
  monitor: WorkMonitor;
  services: TaskServices;
  transactions: Transactions;
  /** Grace period for running jobs and chores when the process stops. */
  graceMs?: number | undefined;
  intervals?: JobIntervals | undefined;
  log: Logger;
}

/**
 * Starts the jobs and keeps them running. The returned function stops taking jobs, lets running jobs finish, and puts
 * back those that do not finish in time.
 */
export async function startJobs(options: JobsOptions): Promise<() => Promise<void>> {
  const { database, monitor, services, transactions, graceMs = stopGraceMs, intervals = {}, log } = options;
  const stopping = new AbortController();
  const pool = new LimitedPool({ ...clientConfig(database), max: poolSize }, log);
  const ledger = new WorkerLedger({ database, log });
  const tasks = createTasks(services);
  const laneNames = Object.keys(lanes) as LaneName[];
  const parts = { pool, ledger, tasks, transactions, monitor, intervals, log };
  let keptLanes: KeptLane[] = [];
  const close = async () => {
    await ledger.close().catch((error: unknown) => log.warn({ err: error }, 'closing the worker ledger'));
    await pool.end();
  };
  try {
    await ledger.freeCrashed();
    // The first lane creates the queue's database objects, so lanes start one after the other.
    for (const name of laneNames)
      keptLanes = [...keptLanes, await keepLaneRunning(name, parts, stopping.signal)];
  } catch (error) {
    stopping.abort();
    await Promise.all(keptLanes.map((lane) => lane.stop()));
    await close();
    throw error;
  }
  const freeCrashed = async () => {
    await ledger.freeCrashed();
    for (const lane of keptLanes) lane.check();
  };
  const dueWork = new DueWork((conditions) => services.findDue(conditions));
  const periodic = [
    { name: 'free jobs of crashed processes', everyMs: crashCheckMs, work: freeCrashed },
    ...createChores(services).map((chore: Chore & { name: ChoreName }) => ({
      ...chore,
      everyMs: intervals.chores?.[chore.name] ?? chore.everyMs,
      work: dueWork.only(chore),
      isAligned: chore.due !== undefined,
    })),
  ].map((chore) => startPeriodic({ ...chore, monitor, log }));
  return async () => {
    stopping.abort();
    const ended = Promise.all([...keptLanes.map((lane) => lane.stop()), ...periodic.map((stop) => stop())]);
    await within(graceMs, ended).catch(() => cutOff(keptLanes, { pool, ledger, log }));
    await close();
  };
}

async function cutOff(
  keptLanes: readonly KeptLane[],
  { pool, ledger, log }: Pick<LaneParts, 'pool' | 'ledger' | 'log'>,
): Promise<void> {
  const workers = keptLanes.flatMap((lane) => lane.cutOff());
  try {
    const jobs = await within(putBackMs, putBack(pool, workers));
    log.warn({ jobs }, 'jobs had no time left to finish; they were put back');
  } catch (error) {
    log.warn({ err: error }, 'jobs had no time left to finish, and could not be put back');
    // Jobs that the ledger cannot free either are freed by another process, as after a crash.
    void ledger
      .release(workers)
      .catch((cause: unknown) => log.warn({ err: cause }, 'jobs of a stopped process stay held for now'));
  }
}

interface LaneParts {
  pool: LimitedPool;
  ledger: WorkerLedger;
  tasks: Tasks;
  transactions: Transactions;
  monitor: WorkMonitor;
  intervals: JobIntervals;
  log: Logger;
}

interface KeptLane {
  /** Starts a new run if workers of this one fail permanently; called after the database has replied. */
  check(): void;
  /** Stops taking jobs, and waits for the running ones. */
  stop(): Promise<void>;
  /** Stops waiting, and returns the worker names that may still hold jobs. */
  cutOff(): readonly string[];
}

/** A run can end by itself if the database is lost; its jobs are freed for the next run. */
async function keepLaneRunning(name: LaneName, parts: LaneParts, stopping: AbortSignal): Promise<KeptLane> {
  const log = parts.log.child({ lane: name });
  const watch = parts.monitor.watch(`jobs: ${name}`, () => run.giveUp(new Error('its jobs hang')));
  const start = () => startRun(name, parts, watch);
  let run = await start();

  async function keepRunning(): Promise<void> {
    for (;;) {
      const failure = await run.ended;
      if (stopping.aborted) return;
      log.error({ err: failure }, 'the jobs have ended; they are started again');
      run.abandon();
      watch.abandonRuns();
      await parts.ledger
        .release(run.workers)
        .catch((error: unknown) => log.warn({ err: error }, 'the jobs of a run stay held for now'));
      run = await pRetry(start, {
        retries: Infinity,
        minTimeout: 200,
        maxTimeout: 5_000,
        signal: stopping,
        onFailedAttempt: ({ error }) => log.warn({ err: error }, 'the jobs could not be started again yet'),
      });
    }
  }

  const supervision = keepRunning().catch((error: unknown) => {
    if (!stopping.aborted) log.fatal({ err: error }, 'the jobs have ended and are not started again');
  });
  return {
    check: () => run.check(),
    stop: async () => {
      watch.stop();
      await run.stop();
      await supervision;
    },
    cutOff: () => {
      run.cutOff();
      // What remains of the run can no longer commit anything or reach any service.
      watch.restart();
      return run.workers;
    },
  };
}

interface Run {
  /** Settles when the run has ended, with the error if the runner stopped by itself. */
  ended: Promise<unknown>;
  /** Names under which it holds jobs. */
  workers: readonly string[];
  /** Gives the run up if its workers fail permanently. */
  check(): void;
  /** Ends the run as failed, without waiting for jobs that hang. */
  giveUp(reason: Error): void;
  /** Stops what is left of the run, without waiting. */
  abandon(): void;
  stop(): Promise<void>;
  /** Stops reporting the outcomes of its jobs to the queue. */
  cutOff(): void;
}

async function startRun(
  name: LaneName,
  { pool, ledger, tasks, transactions, intervals, log }: LaneParts,
  watch: Watch,
): Promise<Run> {
  const lane: Lane = lanes[name];
  const events: WorkerEvents = new EventEmitter();
  const shares = new LicenseShares(lane, events);
  const workers: string[] = [];
  const givenUp = Promise.withResolvers<Error>();
  const onLost = () => givenUp.resolve(new Error('another process has freed its jobs'));
  let registration: Promise<unknown> | undefined;
  const register = async () => {
    registration ??= Promise.all(workers.map((worker) => ledger.register(worker, onLost)));
    await registration.catch((error: unknown) => {
      registration = undefined;
      throw error;
    });
  };
  // Jobs are held in the name of the worker pool.
  events.on('pool:create', ({ workerPool }) => workers.push(workerPool.id));
  const queue = new RunWatch(events, watch, log, givenUp.resolve);
  const cut = new CutOff();
  const runner = await run({
    events,
    pgPool: pool,
    forbiddenFlags: async () => {
      const flags = await shares.beginLook();
      await register();
      return flags;
    },
    preset: {
      worker: {
        concurrentJobs: lane.maxRunning,
        pollInterval: intervals.pollMs ?? lane.pollMs,
        // Without a batch, a job whose outcome cannot be written would end the process.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    noHandleSignals: true,
    taskList: taskListOf(name, { tasks, transactions, watch, cut }),
    parsedCronItems: crontab.filter(({ task }) => laneOf[task as keyof Tasks] === name),
    logger: workerLogger(log),
  }).catch((error: unknown) => {
    queue.stop();
    throw error;
  });
  return {
    ended: Promise.race([
      givenUp.promise,
      runner.promise.then(
        () => undefined,
        (error: unknown) => error ?? new Error('the runner gave no reason'),
      ),
    ]),
    workers,
    check: () => {
      if (queue.isBeyondRecovery())
        givenUp.resolve(new Error('workers get no jobs, although the database replies'));
    },
    giveUp: givenUp.resolve,
    abandon: () => {
      queue.stop();
      // Stopping fails if the runner has stopped already.
      runner.stop().catch((error: unknown) => log.debug({ err: error }, 'stopping a run that has ended'));
    },
    stop: async () => {
      queue.stop();
      await runner.stop().catch((error: unknown) => log.warn({ err: error }, 'stopping the jobs'));
    },
    cutOff: () => cut.end(),
  };
}

interface TaskParts extends Pick<LaneParts, 'tasks' | 'transactions'> {
  watch: Watch;
  cut: CutOff;
}

/** The audit log names the job as the actor of its changes. */
function taskListOf(lane: LaneName, { tasks, transactions, watch, cut }: TaskParts): TaskList {
  const own = Object.entries(tasks).filter(([name]) => laneOf[name as keyof Tasks] === lane);
  const attributionOf = (name: string) => ({
    actor: { kind: 'job' as const, id: name, label: name },
    operation: name,
  });
  return Object.fromEntries(
    own.map(([name, work]) => [
      name,
      (payload: unknown, { job }: JobHelpers) =>
        cut.outcomeOf(
          transactions.attribute(attributionOf(name), () =>
            watch.run(() => work(payload as never), { id: job.id, worker: job.locked_by ?? '' }),
          ),
        ),
    ]),
  );
}

/** Fewer connections than concurrent jobs are intended: a job holds one only while it writes. */
function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger((scope) => (level, message, meta) => {
    const fields = { component: 'jobs', ...scope, ...meta };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning' && !message.includes('maxPoolSize')) log.warn(fields, message);
    else log.debug(fields, message);
  });
}
