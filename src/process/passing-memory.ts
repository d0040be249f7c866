// Frees the buffers of bytes that only pass through: V8 does not count them as young garbage, and would collect everything instead.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;

/** Bytes after which young garbage is collected, which takes about a millisecond. */
const everyBytes = 16 * 1024 * 1024;

let collect: Collect | undefined;

/** Counts the bytes that passed through. One counter for each transfer. */
export class PassingMemory {
  #bytes = 0;

  passed(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < everyBytes) return;
    this.#bytes = 0;
    collect ??= exposedCollect();
    collect({ type: 'minor' });
  }
}

function exposedCollect(): Collect {
  setFlagsFromString('--expose-gc');
  const exposed = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return exposed;
}
