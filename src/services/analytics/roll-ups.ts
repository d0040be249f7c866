// Keeps the analytics roll-ups up to date with sessions, maps and wipes, license by license.
import { sql } from 'kysely';
import { growingCache } from '../../process/growing-cache.ts';
import { BatchSize } from '../../database/batch-size.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import type { EntityManager } from '../../database/connection.ts';
import { distinctOf } from '../../database/distinct-values.ts';
import { tryLock } from '../../database/advisory-locks.ts';
import { countSessions, countSightings, countWipes, forgetEmptyDays } from './count-statements.ts';

/** Maximum rows counted in one transaction; fewer if that many exceed the statement timeout. */
const maxRows = 5_000;
const maxWipes = 20;
/** A batch that takes longer is retried with fewer rows. Well below the timeout of every other statement. */
const statementMs = 10_000;
/** Batch sizes cached, by license and queue. */
const maxRemembered = 10_000;
/** Batches of each queue that are counted before the next license's. */
const batchesPerRun = 4;

export class AnalyticsRollUps {
  readonly #platform: PlatformScope;
  readonly #tenant: TenantScope;
  readonly #steps: readonly Step[];
  readonly #statementMs: number;
  readonly #sizes = growingCache<BatchSize>({ maxEntries: maxRemembered });

  constructor(
    platform: PlatformScope,
    tenant: TenantScope,
    { rows = maxRows, timeoutMs = statementMs }: { rows?: number; timeoutMs?: number } = {},
  ) {
    this.#platform = platform;
    this.#tenant = tenant;
    this.#statementMs = timeoutMs;
    this.#steps = [
      { waiting: 'map_sighting', statement: countSightings, max: rows },
      { waiting: 'wipe_retention where not is_counted', statement: countWipes, max: maxWipes },
      { waiting: 'session_change', statement: countSessions, max: rows, after: forgetEmptyDays },
    ];
  }

  /** Counts the backlog. Changes leave their queue in the transaction that counts them: each counts exactly once. */
  async run(): Promise<void> {
    while (await this.#goRound());
  }

  /**
   * Processes each license in random order, so that no large backlog delays the others. Returns whether more is left.
   */
  async #goRound(): Promise<boolean> {
    const { rows: licenses } = await this.#platform.read('jobs', (queries) =>
      sql.raw<{ license_id: string }>(waitingLicenses).execute(queries),
    );
    const failures: unknown[] = [];
    let isMoreLeft = false;
    for (const { license_id: licenseId } of licenses)
      await this.#countFor(licenseId).then(
        (isMore) => (isMoreLeft ||= isMore),
        (error: unknown) => failures.push(error),
      );
    if (failures.length > 0)
      throw new AggregateError(failures, `nothing was counted for ${failures.length} licenses`);
    return isMoreLeft;
  }

  async #countFor(licenseId: string): Promise<boolean> {
    for (let batch = 0; batch < batchesPerRun; batch += 1) {
      const isMore: boolean[] = [];
      for (const step of this.#steps) isMore.push(await this.#takeStep(licenseId, step));
      if (!isMore.includes(true)) return false;
    }
    return true;
  }

  /** Runs each step in its own transaction: the counts of one step remain when the next step fails. */
  async #takeStep(licenseId: string, step: Step): Promise<boolean> {
    const key = `${licenseId} ${step.waiting}`;
    const batch = this.#sizes.get(key) ?? new BatchSize(step.max);
    this.#sizes.set(key, batch);
    return batch.take((size) =>
      this.#tenant.transact(licenseId, (em) => this.#count(em, licenseId, { ...step, size })),
    );
  }

  /** Returns whether there may be more. One replica at a time counts for a license; the others skip it. */
  async #count(em: EntityManager, licenseId: string, step: Step & { size: number }): Promise<boolean> {
    if (!(await tryLock(em, `analytics ${licenseId}`))) return false;
    // The plan for a license's first changes must also suit thousands of them: statistics are updated later.
    await em.execute(`set local enable_seqscan = off; set local statement_timeout = ${this.#statementMs}`);
    const taken = await takenBy(em, step.waiting, step.statement, step.size);
    if (taken > 0 && step.after !== undefined) await em.execute(step.after);
    return taken >= step.size;
  }
}

/** One queue of changes to count. */
interface Step {
  waiting: string;
  /** Counts up to as many rows as its parameter says. */
  statement: string;
  max: number;
  /** Cleans up after the statement. */
  after?: string;
}

/** The licenses with a backlog, in random order. */
const waitingLicenses = `
  select license_id from (
    select * from ${distinctOf(['license_id'], 'session_change')} as changes
    union select * from ${distinctOf(['license_id'], 'map_sighting')} as sightings
    union select * from ${distinctOf(['license_id'], 'wipe_retention', 'not is_counted')} as wipes
  ) as waiting order by random()`;

/** Checks for rows first: planning a counting statement takes longer than the check. */
async function takenBy(em: EntityManager, waiting: string, statement: string, max: number): Promise<number> {
  const [look] = await em.execute<{ is_any: boolean }[]>(`select exists (select from ${waiting}) as is_any`);
  if (look?.is_any !== true) return 0;
  const [row] = await em.execute<{ taken: number }[]>(statement, [max]);
  return Number(row?.taken ?? 0);
}

/** Rolls up the map figures of completed months. Heartbeats no longer change these figures. */
export const sumUpMonths = `
  with former as (
    select license_id, summed_up_to as known_at, ended_at
    from map_month_end cross join (select date_trunc('month', now() - interval '2 days', 'UTC') as ended_at) as months
    where summed_up_to < ended_at for no key update of map_month_end
  ), due as (
    update map_month_end set summed_up_to = ended_at from former where map_month_end.license_id = former.license_id
    returning former.license_id, known_at, ended_at
  )
  insert into map_month (license_id, month, map_id, slots, players_samples, players_sum, players_max)
  select due.license_id, month, map_id, sum(slots), sum(players_samples), sum(players_sum), max(players_max)
  from due cross join lateral (
    select date_trunc('month', bucket_at, 'UTC')::date as month, map_id, 0 as slots,
      players_samples, players_sum, players_max
    from instance_stats_day where license_id = due.license_id and bucket_at >= known_at and bucket_at < ended_at
    union all
    select date_trunc('month', day)::date, map_id, bit_count(slots), 0, 0, null
    from map_day where license_id = due.license_id and day >= known_at::date and day < ended_at::date
  ) as played
  where map_id <> '00000000-0000-0000-0000-000000000000'
  group by due.license_id, month, map_id
  on conflict do nothing`;
