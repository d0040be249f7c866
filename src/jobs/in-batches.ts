// Runs work on the rows of all licenses, in bounded transactions so that none holds its locks for long.
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';

/** Does some of the work and returns the number of rows; 0 when none is left. */
export type Batch = (em: EntityManager) => Promise<number>;

/** The next run does what is left after this many. */
const maxBatches = 200;

export class BatchRunner {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** Repeats the work, each time in its own transaction, until none is left. */
  async repeat(batch: Batch): Promise<void> {
    for (let count = 0; count < maxBatches; count += 1)
      if ((await this.#platform.transact('jobs', batch)) === 0) return;
  }

  /** Runs one statement in its own transaction. */
  async execute(statement: string): Promise<void> {
    await this.#platform.transact('jobs', (em) => em.execute(statement));
  }
}
