// Runs password estimates in a worker thread, which ends when idle so that its dictionaries take no memory.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { DomainError } from '../../errors.ts';
import type { Estimate, EstimateInput } from './password-estimate.ts';

const maxMegabytes = 256;
/** Maximum time of one estimate, including the start of the thread on a busy machine. */
const maxMs = 30_000;
const maxWaiting = 200;

export class PasswordEstimator {
  readonly #idleMs: number;
  readonly #oneAtATime = pLimit(1);
  #thread: Worker | undefined;
  #dismissal: NodeJS.Timeout | undefined;

  constructor(idleMs = 30_000) {
    this.#idleMs = idleMs;
  }

  /** Whether the dictionaries are in memory. */
  get isLoaded(): boolean {
    return this.#thread !== undefined;
  }

  estimate(input: EstimateInput): Promise<Estimate> {
    if (this.#oneAtATime.pendingCount >= maxWaiting) throw busy();
    return this.#oneAtATime(() => this.#estimate(input));
  }

  #begin(): Worker {
    const thread = new Worker(new URL('./password-estimate-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
    });
    // Between estimates there is no other listener; the thread then exits.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }

  async #estimate(input: EstimateInput): Promise<Estimate> {
    clearTimeout(this.#dismissal);
    const thread = (this.#thread ??= this.#begin());
    thread.ref();
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(maxMs)]);
    const ended = once(thread, 'exit', { signal }).then(() => {
      throw new Error('the thread has ended');
    });
    try {
      const replied = once(thread, 'message', { signal });
      thread.postMessage(input);
      const [estimate] = (await Promise.race([replied, ended])) as [Estimate];
      this.#rest(thread);
      return estimate;
    } catch (error) {
      this.#end(thread);
      throw busy(error);
    } finally {
      ended.catch(() => undefined);
      settled.abort();
    }
  }

  /** Keeps the idle thread for a limited time. The thread never keeps the process alive. */
  #rest(thread: Worker): void {
    thread.unref();
    this.#dismissal = setTimeout(() => this.#end(thread), this.#idleMs).unref();
  }

  #end(thread: Worker): void {
    if (this.#thread === thread) this.#thread = undefined;
    void thread.terminate();
  }
}

const busy = (cause?: unknown) =>
  new DomainError('unavailable', 'The password cannot be checked at present; try again soon.', { cause });
