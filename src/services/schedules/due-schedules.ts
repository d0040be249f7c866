// Finds the schedules of all licenses that are due and has each license's run; any number of replicas may do so at once.
import { sql } from 'kysely';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Contexts } from '../../context.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';

interface DueRow {
  id: string;
  license_id: string;
  next_run_at: string;
}

const rowsAtOnce = 1_000;
/** Licenses that are run at the same time; each needs a database connection. */
const licensesAtOnce = 4;

export class DueSchedules {
  readonly #platform: PlatformScope;
  readonly #contexts: Contexts;
  readonly #log: Logger;

  constructor(platform: PlatformScope, contexts: Contexts, log: Logger) {
    this.#platform = platform;
    this.#contexts = contexts;
    this.#log = log;
  }

  /** Goes once through all that is due, the longest overdue first; what fails waits for the next time. */
  async run(): Promise<void> {
    let rows: DueRow[] = [];
    do {
      rows = await this.#dueAfter(rows.at(-1));
      const limit = pLimit(licensesAtOnce);
      const groups = Map.groupBy(rows, ({ license_id }) => license_id);
      await limit.map([...groups], ([licenseId, due]) =>
        this.#runLicense(
          licenseId,
          due.map(({ id }) => id),
        ),
      );
    } while (rows.length === rowsAtOnce);
  }

  async #runLicense(licenseId: string, ids: string[]): Promise<void> {
    try {
      await this.#contexts.forJob('run-schedules', licenseId, (ctx) =>
        ctx.services.schedules.runDue(ctx, ids),
      );
    } catch (error) {
      this.#log.error({ err: error, license_id: licenseId }, 'the schedules of a license could not be run');
    }
  }

  #dueAfter(last: DueRow | undefined): Promise<DueRow[]> {
    return this.#platform.read('jobs', (queries) => {
      let due = queries
        .selectFrom('schedule')
        .select(['id', 'license_id', 'next_run_at'])
        .where('next_run_at', '<=', sql<string>`now()`)
        .orderBy('next_run_at')
        .orderBy('id')
        .limit(rowsAtOnce)
        .$narrowType<{ next_run_at: string }>();
      if (last !== undefined)
        due = due.where(sql<boolean>`(next_run_at, id) > (${last.next_run_at}, ${last.id})`);
      return due.execute();
    });
  }
}
