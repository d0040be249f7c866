// Throttles log lines that may come in floods: one per kind and minute.
import { growingCache } from './growing-cache.ts';

const onceInMs = 60_000;

export class ThrottledLogger {
  readonly #logged = growingCache<true>({ maxEntries: 10_000, ttl: onceInMs });

  /** Calls `say` unless a line of this kind was logged within the last minute. */
  once(kind: string, say: () => void): void {
    if (this.#logged.has(kind)) return;
    this.#logged.set(kind, true);
    say();
  }
}
