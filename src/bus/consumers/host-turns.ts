// Lets every host have its turn: one message of a host at a time, some hosts at once, and none may queue without end.
import pLimit, { type LimitFunction } from 'p-limit';

export class HostTurns {
  readonly #limit: LimitFunction;
  readonly #mostWaiting: number;
  readonly #hosts = new Map<string, { last: Promise<void>; waiting: number }>();

  constructor(atOnce: number, mostWaiting: number) {
    this.#limit = pLimit(atOnce);
    this.#mostWaiting = mostWaiting;
  }

  /** Does the work after what the host sent before. Answers false, and does nothing, when too much of it waits. */
  take(hostId: string, work: () => Promise<void>): boolean {
    const host = this.#hosts.get(hostId) ?? { last: Promise.resolve(), waiting: 0 };
    if (host.waiting >= this.#mostWaiting) return false;
    host.waiting += 1;
    this.#hosts.set(hostId, host);
    host.last = host.last
      .then(() => this.#limit(work))
      .finally(() => {
        host.waiting -= 1;
        if (host.waiting === 0) this.#hosts.delete(hostId);
      });
    return true;
  }

  /** Settles once nothing waits any more. */
  async idle(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map(({ last }) => last));
  }
}
