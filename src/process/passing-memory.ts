// Frees the buffers of bytes that only pass through: V8 does not count them as young garbage, and would collect everything instead.
import { garbageCollector } from '../../shared/garbage-collector.ts';

/** Bytes after which young garbage is collected, which takes about a millisecond. */
const everyBytes = 16 * 1024 * 1024;

let collect: ReturnType<typeof garbageCollector> | undefined;

/** Counts the bytes that passed through. One counter for each transfer. */
export class PassingMemory {
  #bytes = 0;

  passed(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < everyBytes) return;
    this.#bytes = 0;
    collect ??= garbageCollector();
    collect({ type: 'minor' });
  }
}
