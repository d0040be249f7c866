// V8's garbage collector as a function, without exposing it to the rest of the program.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }) => void;

export function garbageCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
