// Repeats bounded work until nothing is left of it, so that nobody waits long for the locks of one transaction.
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';

/** Does some of the work and returns how many rows that were; 0 once nothing is left. */
export type Batch = (em: EntityManager) => Promise<number>;

/** What is left then is for the next time. */
const maxBatches = 200;

/** Repeats the work, each time in a transaction of its own, until nothing is left of it. */
export async function inBatches(platform: PlatformScope, batch: Batch): Promise<void> {
  for (let count = 0; count < maxBatches; count += 1)
    if ((await platform.transact('jobs', batch)) === 0) return;
}
