// Repeats bounded work until none is left, so that no transaction holds its locks for long.
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';

/** Does some of the work and returns the number of rows; 0 when none is left. */
export type Batch = (em: EntityManager) => Promise<number>;

/** The next run does what is left after this many. */
const maxBatches = 200;

/** Repeats the work, each time in its own transaction, until none is left. */
export async function inBatches(platform: PlatformScope, batch: Batch): Promise<void> {
  for (let count = 0; count < maxBatches; count += 1)
    if ((await platform.transact('jobs', batch)) === 0) return;
}
