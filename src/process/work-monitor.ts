// Monitors repeated work: the time since its last success and its progress. It restarts work that hangs.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';

/** A job and the worker that holds it: the job's changes commit only while the worker holds it. */
export interface HeldJob {
  id: string;
  worker: string;
}

export interface WatchdogSettings {
  /** Work without progress for this long hangs: every single wait within it has a shorter limit. */
  maxQuietMs?: number;
  checkEveryMs?: number;
}

export interface WorkState {
  name: string;
  /** Seconds since its last success; since its start if there was none. */
  sinceSuccessSeconds: number;
  restarts: number;
  isHanging: boolean;
  /** Seconds since the first failure after its last success; 0 if it has not failed since. */
  failingSeconds: number;
  /**
   * Whether it has been failing for longer than work may hang. This is only reported: another process would fail, too.
   */
  isFailing: boolean;
}

const defaultQuietMs = 120_000;
const defaultCheckMs = 5_000;
/** Work that hangs again after this many restarts without a success needs another process. */
const maxRestarts = 3;

export class WorkMonitor {
  readonly #log: Logger;
  readonly #maxQuietMs: number;
  readonly #clock: AwakeClock;
  readonly #watches = new Set<Watch>();
  readonly #current = new AsyncLocalStorage<Run>();
  readonly #giveUpListeners: ((reason: string) => void)[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(
    log: Logger,
    { maxQuietMs = defaultQuietMs, checkEveryMs = defaultCheckMs }: WatchdogSettings = {},
  ) {
    this.#log = log;
    this.#maxQuietMs = maxQuietMs;
    this.#clock = new AwakeClock(2 * checkEveryMs);
    this.#timer = setInterval(() => this.#check(), checkEveryMs).unref();
  }

  /** `restart` abandons the run that hangs and starts a new one. */
  watch(name: string, restart: () => void): Watch {
    const watch: Watch = new Watch(name, restart, {
      clock: this.#clock,
      current: this.#current,
      onStop: () => this.#watches.delete(watch),
    });
    this.#watches.add(watch);
    return watch;
  }

  /** Records progress of the work that the caller is part of, if any. */
  readonly progressed = (): void => {
    const run = this.#current.getStore();
    if (run?.isAbandoned === false) run.watch.progressed();
  };

  /** Throws in an abandoned run: a new run has replaced it, and may already do the same work. */
  readonly refuseAbandoned = (): void => {
    const run = this.#current.getStore();
    if (run !== undefined) refuseAbandoned(run);
  };

  readonly heldJob = (): HeldJob | undefined => this.#current.getStore()?.job;

  /** Abandons the run that the caller is part of, because another has replaced it. */
  readonly abandon = (): void => {
    const run = this.#current.getStore();
    if (run !== undefined) run.isAbandoned = true;
  };

  get states(): WorkState[] {
    return [...this.#watches].map((watch) => ({
      name: watch.name,
      sinceSuccessSeconds: watch.sinceSuccessMs / 1000,
      restarts: watch.restarts,
      isHanging: this.#isHanging(watch),
      failingSeconds: watch.failingMs / 1000,
      isFailing: watch.failingMs > this.#maxQuietMs,
    }));
  }

  /** Calls the listener with a reason when restarts no longer help: the process should end. */
  onGiveUp(listener: (reason: string) => void): void {
    this.#giveUpListeners.push(listener);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #isHanging(watch: Watch): boolean {
    return watch.quietMs > this.#maxQuietMs;
  }

  #check(): void {
    this.#clock.tick();
    for (const watch of [...this.#watches].filter((item) => this.#isHanging(item))) {
      const fields = { work: watch.name, quiet_seconds: Math.round(watch.quietMs / 1000) };
      if (watch.restartsInARow < maxRestarts) {
        this.#log.error(fields, 'work hangs and is restarted');
        watch.restart();
        continue;
      }
      this.#log.fatal(fields, 'work hangs, and restarts have not helped');
      for (const listener of this.#giveUpListeners)
        listener(`"${watch.name}" hangs after ${maxRestarts} restarts`);
    }
  }
}

/** One run of a watch's work. */
interface Run {
  watch: Watch;
  isAbandoned: boolean;
  job: HeldJob | undefined;
}

function refuseAbandoned({ watch, isAbandoned }: Run): void {
  if (isAbandoned) throw new Error(`this run of "${watch.name}" was abandoned`);
}

interface WatchParts {
  clock: AwakeClock;
  current: AsyncLocalStorage<Run>;
  onStop: () => void;
}

export class Watch {
  readonly name: string;
  readonly #restart: () => void;
  readonly #parts: WatchParts;
  /** The runs started since the last restart. */
  #runs: Run[] = [];
  #succeededAt: number;
  #progressedAt: number;
  #failingSince: number | undefined;
  #isRunning = false;
  #restarts = 0;
  #restartsInARow = 0;

  constructor(name: string, restart: () => void, parts: WatchParts) {
    this.name = name;
    this.#restart = restart;
    this.#parts = parts;
    this.#succeededAt = this.#progressedAt = parts.clock.now;
  }

  get sinceSuccessMs(): number {
    return this.#parts.clock.now - this.#succeededAt;
  }

  /** Milliseconds since its first failure after its last success; 0 if it has not failed since. */
  get failingMs(): number {
    return this.#failingSince === undefined ? 0 : this.#parts.clock.now - this.#failingSince;
  }

  /** Milliseconds that it has been running without progress; 0 while it does not run. */
  get quietMs(): number {
    return this.#isRunning ? this.#parts.clock.now - this.#progressedAt : 0;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get restartsInARow(): number {
    return this.#restartsInARow;
  }

  /** Runs `work` as part of this watch: its progress counts as the watch's. It fails once it is abandoned. */
  async run<T>(work: () => Promise<T>, job?: HeldJob): Promise<T> {
    const run: Run = { watch: this, isAbandoned: false, job };
    this.#runs.push(run);
    try {
      const result = await this.#parts.current.run(run, work);
      refuseAbandoned(run);
      return result;
    } finally {
      this.#runs = this.#runs.filter((other) => other !== run);
    }
  }

  /** A start is not a success: work that fails at every start makes no progress. */
  started(): void {
    this.#isRunning = true;
    this.progressed();
  }

  failed(): void {
    this.progressed();
    this.#failingSince ??= this.#progressedAt;
  }

  progressed(): void {
    this.#progressedAt = this.#parts.clock.now;
  }

  succeeded(): void {
    this.progressed();
    this.#succeededAt = this.#progressedAt;
    this.#failingSince = undefined;
    this.#restartsInARow = 0;
  }

  ended(): void {
    this.#isRunning = false;
  }

  /** Abandons all current runs: a new run replaces them. */
  abandonRuns(): void {
    for (const run of this.#runs) run.isAbandoned = true;
    this.#runs = [];
  }

  restart(): void {
    this.abandonRuns();
    this.#restarts += 1;
    this.#restartsInARow += 1;
    this.failed();
    this.#restart();
  }

  stop(): void {
    this.#parts.onStop();
  }
}

/** Counts only the time in which this process was running: nothing makes progress while it is suspended. */
class AwakeClock {
  readonly #maxStepMs: number;
  #countedMs = 0;
  #tickedAt = performance.now();

  constructor(maxStepMs: number) {
    this.#maxStepMs = maxStepMs;
  }

  get now(): number {
    return this.#countedMs + Math.min(performance.now() - this.#tickedAt, this.#maxStepMs);
  }

  tick(): void {
    this.#countedMs = this.now;
    this.#tickedAt = performance.now();
  }
}
