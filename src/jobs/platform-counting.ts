// Keeps the counts of all licenses: adds what transactions have changed, and corrects them once a night.
import type { Logger } from 'pino';
import { holdLock, tryLock } from '../database/advisory-locks.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { addChanges, correctCounts, countingLock } from '../platform-counts/addition.ts';

/** Changes that one transaction adds. */
const maxRows = 10_000;
/** The next run adds what is left after this many. */
const maxBatches = 100;
/** Differences that one line of the log shows. */
const maxLogged = 20;

export class PlatformCounting {
  readonly #platform: PlatformScope;
  readonly #log: Logger;

  constructor(platform: PlatformScope, log: Logger) {
    this.#platform = platform;
    this.#log = log;
  }

  /** One replica at a time. Changes are added and removed in one transaction, so none counts twice. */
  async run(): Promise<void> {
    for (let count = 0; count < maxBatches; count += 1) {
      const isMore = await this.#platform.transact(
        'jobs',
        async (em) => (await tryLock(em, countingLock)) && (await addChanges(em, maxRows)),
      );
      if (!isMore) return;
    }
  }

  /** Compares the counts with the rows. A difference is a defect, so it is logged. */
  async recount(): Promise<void> {
    const differences = await this.#platform.transact('jobs', async (em) => {
      await holdLock(em, countingLock);
      return correctCounts(em);
    });
    if (differences.length > 0)
      this.#log.error(
        { count: differences.length, differences: differences.slice(0, maxLogged) },
        'counts of the platform differed from its rows; they are corrected',
      );
  }
}
