// Keeps one license from taking all workers of a lane: at its limit, its other jobs are skipped.
import type { WorkerEvents } from 'graphile-worker';
import { maxSilentHosts, type Lane } from './lanes.ts';

/** Prefixes of the flags that count a job; the database function `enqueue_job` writes them. */
const ownerFlag = 'owner:';
const silentFlag = 'silent:';

export class LicenseShares {
  readonly #lane: Lane;
  readonly #running = new Map<string, number>();
  /** Workers fetch jobs one at a time, because each fetch must count the job that the previous one took. */
  #lastLook: Promise<void> = Promise.resolve();
  #endLook: () => void = () => undefined;

  constructor(lane: Lane, events: WorkerEvents) {
    this.#lane = lane;
    events.on('job:start', ({ job }) => {
      for (const flag of flagsOf(job)) this.#running.set(flag, (this.#running.get(flag) ?? 0) + 1);
      this.#endLook();
    });
    events.on('worker:getJob:empty', () => this.#endLook());
    events.on('worker:getJob:error', () => this.#endLook());
    events.on('job:complete', ({ job }) => {
      for (const flag of flagsOf(job)) {
        const left = (this.#running.get(flag) ?? 1) - 1;
        if (left > 0) this.#running.set(flag, left);
        else this.#running.delete(flag);
      }
    });
  }

  /** Starts a worker's fetch of a job, and returns the flags of the jobs that it must skip. */
  async beginLook(): Promise<string[]> {
    const before = this.#lastLook;
    const look = Promise.withResolvers<void>();
    this.#lastLook = look.promise;
    await before;
    this.#endLook = look.resolve;
    return [...this.#running].filter(([flag, count]) => count >= this.#shareOf(flag)).map(([flag]) => flag);
  }

  #shareOf(flag: string): number {
    if (flag.startsWith(ownerFlag)) return this.#lane.maxOfLicense;
    return flag.startsWith(silentFlag) ? maxSilentHosts : Infinity;
  }
}

const flagsOf = ({ flags }: { flags: Record<string, true> | null }) => Object.keys(flags ?? {});
