// Throttles log lines that may come in floods: one per kind and minute.
import { LRUCache } from 'lru-cache';

const onceInMs = 60_000;

export class ThrottledLogger {
  readonly #said = new LRUCache<string, true>({ max: 10_000, ttl: onceInMs });

  /** Calls `say` unless a line of this kind was logged within the last minute. */
  once(kind: string, say: () => void): void {
    if (this.#said.has(kind)) return;
    this.#said.set(kind, true);
    say();
  }
}
