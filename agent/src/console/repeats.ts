// Removes duplicates of console lines that arrive from several sources, and keeps lines that were printed repeatedly.
import { createHash } from 'node:crypto';

interface Seen {
  /** How often each source has delivered the line. */
  times: Map<string, number>;
  shown: number;
  atMs: number;
}

/** All sources deliver the same line within 10 s of each other. */
const keptMs = 10_000;
const maxKept = 2_000;
const maxKeyLength = 200;

/** Shows each line as often as the source that delivered it most often. */
export class Repeats {
  readonly #seen = new Map<string, Seen>();

  isNew(way: string, line: string, nowMs = performance.now()): boolean {
    this.#forget(nowMs);
    const text = line.trimEnd();
    const key = text.length <= maxKeyLength ? text : createHash('sha256').update(text).digest('base64');
    const seen = this.#seen.get(key) ?? { times: new Map<string, number>(), shown: 0, atMs: nowMs };
    this.#seen.delete(key); // moves the newest to the end
    this.#seen.set(key, seen);
    seen.atMs = nowMs;
    const times = (seen.times.get(way) ?? 0) + 1;
    seen.times.set(way, times);
    if (times <= seen.shown) return false;
    seen.shown = times;
    return true;
  }

  #forget(nowMs: number): void {
    for (const [key, { atMs }] of this.#seen) {
      if (this.#seen.size <= maxKept && nowMs - atMs < keptMs) return;
      this.#seen.delete(key);
    }
  }
}
