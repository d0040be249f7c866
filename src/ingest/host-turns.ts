// Schedules the messages of hosts: one of a host at a time, a few of a license, and none may queue without end.
import pLimit, { type LimitFunction } from 'p-limit';

export interface TurnBounds {
  /** Messages that are taken at the same time. */
  atOnce: number;
  /** Fewer than `atOnce`, so that a license with many busy hosts leaves room for the others. */
  atOncePerLicense: number;
  maxWaitingPerHost: number;
  maxWaitingPerLicense: number;
}

interface Queue {
  waiting: number;
}

export class HostTurns {
  readonly #bounds: TurnBounds;
  readonly #limit: LimitFunction;
  readonly #hosts = new Map<string, Queue & { last: Promise<void> }>();
  readonly #licenses = new Map<string, Queue & { limit: LimitFunction }>();

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
    this.#limit = pLimit(bounds.atOnce);
  }

  /** Does the work after what the host sent before. Returns false, and does nothing, when too much of it waits. */
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
    // Only what has a turn within its license waits for one among all licenses.
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

  /** Settles once nothing waits any more. */
  async idle(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map(({ last }) => last));
  }
}
