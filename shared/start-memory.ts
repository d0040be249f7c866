// Returns the memory that only the start needed to the operating system: V8 keeps pages of its garbage for long.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then what the first requests and jobs load is loaded. */
const defaultDelayMs = 10_000;

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/** Collects once, a few seconds from now; the process pauses for about a tenth of a second. */
export function releaseStartMemory(delayMs = defaultDelayMs): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major', flavor: 'last-resort' });
  }, delayMs).unref();
}
