// Schedules hosts' messages: one at a time per host, a few per license, with a bounded queue per host.
import pLimit, { type LimitFunction } from 'p-limit';

export interface QueueBounds {
  /** Messages processed concurrently. */
  atOnce: number;
  /** Less than `atOnce`, so that a license with many busy hosts leaves capacity for others. */
  atOncePerLicense: number;
  maxWaitingPerHost: number;
  maxWaitingPerLicense: number;
}

interface Queue {
  waiting: number;
}

export class HostQueues {
  readonly #bounds: QueueBounds;
  readonly #limit: LimitFunction;
  readonly #hosts = new Map<string, Queue & { last: Promise<void> }>();
  readonly #licenses = new Map<string, Queue & { limit: LimitFunction }>();

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
    this.#limit = pLimit(bounds.atOnce);
  }

  /** Runs the work after the host's previous work. Returns false, without running it, if the host's queue is full. */
  take(hostId: string, licenseId: string, work: () => Promise<void>): boolean {
    const host = this.#hosts.get(hostId) ?? { last: Promise.resolve(), waiting: 0 };
    const license = this.#licenses.get(licenseId) ?? {
      limit: pLimit(this.#bounds.atOncePerLicense),
      waiting: 0,
    };
    if (host.waiting >= this.#bounds.maxWaitingPerHost) return false;
    if (license.waiting >= this.#bounds.maxWaitingPerLicense) return false;
    host.waiting += 1;
    license.waiting += 1;
    this.#hosts.set(hostId, host);
    this.#licenses.set(licenseId, license);
    // Work waits for the global limit only after it has passed its license's limit.
    host.last = host.last
      .then(() => license.limit(() => this.#limit(work)))
      .finally(() => {
        host.waiting -= 1;
        license.waiting -= 1;
        if (host.waiting === 0) this.#hosts.delete(hostId);
        if (license.waiting === 0) this.#licenses.delete(licenseId);
      });
    return true;
  }

  /** Settles when the queues are empty. */
  async idle(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map(({ last }) => last));
  }
}
