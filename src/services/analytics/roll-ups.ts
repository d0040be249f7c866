// Keeps the counts of analytics up with sessions, maps and wipes, license by license.
import { sql } from 'kysely';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import type { EntityManager } from '../../database/connection.ts';
import { differentOf } from '../../database/different.ts';
import { tryTurn } from '../../database/turns.ts';
import { countSessions, countSightings, countWipes, forgetEmptyDays } from './counting.ts';

/** Changes that are counted in one transaction; a single one may take a while on a busy machine. */
const changesAtOnce = 5_000;
const wipesAtOnce = 20;
/** After so many transactions it is the next license's turn. */
const transactionsInTurn = 4;

export class AnalyticsRollUps {
  readonly #platform: PlatformScope;
  readonly #tenant: TenantScope;
  readonly #changesAtOnce: number;

  constructor(platform: PlatformScope, tenant: TenantScope, atOnce = changesAtOnce) {
    this.#platform = platform;
    this.#tenant = tenant;
    this.#changesAtOnce = atOnce;
  }

  /** Counts what waits. Changes leave their queue in the transaction that counts them: each counts exactly once. */
  async run(): Promise<void> {
    while (await this.#goRound());
  }

  /** Every license in turn, in any order, so that none with much to count holds the others up; whether more is left. */
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
    for (let transaction = 0; transaction < transactionsInTurn; transaction += 1)
      if (!(await this.#tenant.transact(licenseId, (em) => this.#count(em, licenseId)))) return false;
    return true;
  }

  /** Whether there may be more. One replica at a time counts for a license; the others leave it to that one. */
  async #count(em: EntityManager, licenseId: string): Promise<boolean> {
    if (!(await tryTurn(em, `analytics ${licenseId}`))) return false;
    // What is planned for the first changes of a license must do for thousands: statistics come later.
    await em.execute('set local enable_seqscan = off');
    const most = this.#changesAtOnce;
    const sightings = await takenBy(em, 'map_sighting', countSightings, most);
    const wipes = await takenBy(em, 'wipe_retention where not is_counted', countWipes, wipesAtOnce);
    const changes = await takenBy(em, 'session_change', countSessions, most);
    if (changes > 0) await em.execute(forgetEmptyDays);
    return wipes === wipesAtOnce || Math.max(sightings, changes) === most;
  }
}

/** In any order. */
const waitingLicenses = `
  select license_id from (
    select * from ${differentOf(['license_id'], 'session_change')} as changes
    union select * from ${differentOf(['license_id'], 'map_sighting')} as sightings
    union select * from ${differentOf(['license_id'], 'wipe_retention', 'not is_counted')} as wipes
  ) as waiting order by random()`;

/** Planning a statement that counts takes longer than a look whether anything waits for it. */
async function takenBy(em: EntityManager, waiting: string, statement: string, most: number): Promise<number> {
  const [look] = await em.execute<{ is_any: boolean }[]>(`select exists (select from ${waiting}) as is_any`);
  if (look?.is_any !== true) return 0;
  const [row] = await em.execute<{ taken: number }[]>(statement, [most]);
  return Number(row?.taken ?? 0);
}

/** Sums up the months of maps that have ended; what heartbeats tell of them does not change any more. */
export const sumUpMonths = `
  with due as (
    update map_month_end set summed_up_to = ended_at
    from (select date_trunc('month', now() - interval '2 days', 'UTC') as ended_at) as months
    where summed_up_to < ended_at returning license_id, old.summed_up_to as known_at, ended_at
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
