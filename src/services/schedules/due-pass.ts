// Finds the due schedules of all licenses and handles them together or license by license.
// Runs that need only a command are handled together.
import { sql } from 'kysely';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Contexts, Ctx } from '../../context.ts';
import type { Queries } from '../../database/reader.ts';
import type { Schedules } from './index.ts';

interface DueRow {
  id: string;
  license_id: string;
  due_at: string;
}

/** The two kinds of due work. Replicas may look for it concurrently. */
interface Work {
  column: 'next_run_at' | 'next_announcement_at';
  job: string;
  handle: (schedules: Schedules, ctx: Ctx, ids: string[]) => Promise<void>;
}

const runs: Work = {
  column: 'next_run_at',
  job: 'run-schedules',
  handle: (schedules, ctx, ids) => schedules.runDue(ctx, ids),
};
const announcements: Work = {
  column: 'next_announcement_at',
  job: 'announce-schedules',
  handle: (schedules, ctx, ids) => schedules.announceDue(ctx, ids),
};

const rowsAtOnce = 500;
/** Licenses handled concurrently; each needs a database connection. */
const licensesAtOnce = 4;

/** Runs `dueSchedules` on the schedules of every license. */
type FindDue = (column: Work['column'], last: DueRow | undefined) => Promise<DueRow[]>;

/** Runs those of the schedules, of any license, that need only a command, and returns their ids. */
type RunPlain = (ids: string[]) => Promise<string[]>;

/** The next due schedules, the longest overdue first. */
export function dueSchedules(
  queries: Queries,
  column: Work['column'],
  last: DueRow | undefined,
): Promise<DueRow[]> {
  let due = queries
    .selectFrom('schedule')
    .select(['id', 'license_id', `${column} as due_at`])
    .where(column, '<=', sql<string>`now()`)
    .orderBy(column)
    .orderBy('id')
    .limit(rowsAtOnce)
    .$narrowType<{ due_at: string }>();
  if (last !== undefined)
    due = due.where(sql<boolean>`(${sql.ref(column)}, id) > (${last.due_at}, ${last.id})`);
  return due.execute();
}

export class DueSchedules {
  readonly #find: FindDue;
  readonly #runPlain: RunPlain;
  readonly #contexts: Contexts;
  readonly #schedules: Schedules;
  readonly #log: Logger;

  constructor(find: FindDue, runPlain: RunPlain, contexts: Contexts, schedules: Schedules, log: Logger) {
    this.#find = find;
    this.#runPlain = runPlain;
    this.#contexts = contexts;
    this.#schedules = schedules;
    this.#log = log;
  }

  run(): Promise<void> {
    return this.#handleAll(runs);
  }

  announce(): Promise<void> {
    return this.#handleAll(announcements);
  }

  /** Handles all due schedules once, the longest overdue first. Failures wait for the next pass. */
  async #handleAll(work: Work): Promise<void> {
    let rows: DueRow[] = [];
    do {
      rows = await this.#find(work.column, rows.at(-1));
      const handled = work === runs ? await this.#runTogether(rows.map(({ id }) => id)) : new Set();
      const limit = pLimit(licensesAtOnce);
      const left = rows.filter(({ id }) => !handled.has(id));
      const groups = Map.groupBy(left, ({ license_id }) => license_id);
      await limit.map([...groups], ([licenseId, due]) =>
        this.#handleLicense(
          work,
          licenseId,
          due.map(({ id }) => id),
        ),
      );
    } while (rows.length === rowsAtOnce);
  }

  /** If it fails, each license is handled by itself, so that what one causes stays with it. */
  async #runTogether(ids: string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    try {
      return new Set(await this.#contexts.forJobOfMany(runs.job, () => this.#runPlain(ids)));
    } catch (error) {
      this.#log.error({ err: error, job: runs.job }, 'schedules of several licenses failed together');
      return new Set();
    }
  }

  async #handleLicense({ job, handle }: Work, licenseId: string, ids: string[]): Promise<void> {
    try {
      await this.#contexts.forJob(job, licenseId, (ctx) => handle(this.#schedules, ctx, ids));
    } catch (error) {
      this.#log.error({ err: error, license_id: licenseId, job }, 'the schedules of a license failed');
    }
  }
}
