// Reports whether this process can do its work: database, bus and repeated work.
import type { Logger } from 'pino';
import { NotReady } from '../errors.ts';
import { TookTooLong, within } from './bounded-wait.ts';
import type { WorkMonitor } from './work-monitor.ts';

type Check = 'database' | 'message_bus' | 'work' | 'process';

export interface ReadinessReport {
  /** A degraded process accepts requests: some of its work keeps failing, and would fail in any other process. */
  status: 'ready' | 'degraded' | 'not ready';
  /** `ok`, or a description of the problem. */
  checks: Record<Check, string>;
  /** Seconds since the last success, for all repeated work of this process. */
  work: Record<string, number>;
  /** Work that keeps failing, and for how many seconds. */
  failing: Record<string, number>;
}

interface ReadinessOptions {
  /** Throws unless the database is usable. */
  checkDatabase: () => Promise<unknown>;
  /** Throws unless agents can be reached and heard. */
  checkBus: () => Promise<unknown>;
  monitor: WorkMonitor;
  log: Logger;
}

/** Load balancers wait about this long for a probe. */
const checkLimitMs = 3_000;
/** Probes share a result for this long, because the endpoint requires no credentials. */
const resultMs = 500;

export class Readiness {
  readonly #options: ReadinessOptions;
  #isStopping = false;
  #result: { report: Promise<ReadinessReport>; madeAt: number } | undefined;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** From now on the process is not ready, so that load balancers send it no new requests. */
  beginStop(): void {
    this.#isStopping = true;
    this.#result = undefined;
  }

  check(): Promise<ReadinessReport> {
    const now = performance.now();
    if (this.#result === undefined || now - this.#result.madeAt > resultMs)
      this.#result = { report: this.#report(), madeAt: now };
    return this.#result.report;
  }

  async #report(): Promise<ReadinessReport> {
    const { checkDatabase, checkBus, monitor, log } = this.#options;
    const [database, bus] = await Promise.all([outcomeOf(checkDatabase), outcomeOf(checkBus)]);
    const states = monitor.states;
    const hanging = states.filter(({ isHanging }) => isHanging).map(({ name }) => name);
    const checks = {
      database,
      message_bus: bus,
      work: hanging.length === 0 ? 'ok' : `hangs: ${hanging.join(', ')}`,
      process: this.#isStopping ? 'is stopping' : 'ok',
    };
    const isReady = Object.values(checks).every((outcome) => outcome === 'ok');
    if (!isReady && !this.#isStopping) log.warn({ checks }, 'not ready');
    const failing = states.filter(({ isFailing }) => isFailing);
    return {
      status: statusOf(isReady, failing.length > 0),
      checks,
      work: Object.fromEntries(
        states.map(({ name, sinceSuccessSeconds }) => [name, roundedSeconds(sinceSuccessSeconds)]),
      ),
      failing: Object.fromEntries(
        failing.map(({ name, failingSeconds }) => [name, roundedSeconds(failingSeconds)]),
      ),
    };
  }
}

const roundedSeconds = (seconds: number) => Math.round(seconds * 10) / 10;

function statusOf(isReady: boolean, isWorkFailing: boolean): ReadinessReport['status'] {
  if (!isReady) return 'not ready';
  return isWorkFailing ? 'degraded' : 'ready';
}

/** The result describes the problem in our own words; unauthenticated callers never see the error itself. */
async function outcomeOf(check: () => Promise<unknown>): Promise<string> {
  try {
    await within(checkLimitMs, check());
    return 'ok';
  } catch (error) {
    return error instanceof NotReady || error instanceof TookTooLong ? error.message : 'cannot be reached';
  }
}
