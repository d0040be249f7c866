// Reads the counts of all licenses: those that the jobs have added up, and the changes that they have not added yet.
import { sql } from 'kysely';
import type { Queries } from '../database/reader.ts';

export interface CountRow {
  figure: string;
  key: string;
  detail: string;
  n: number;
}

/** Counts whose keys are days of UTC. */
type AddedFigure = 'licenses_added' | 'users_added' | 'hosts_added' | 'signups_added';

/** Counts of what is now, sandboxes left out. */
export type Figure = 'licenses' | 'users' | 'signups' | 'hosts' | 'instances';

export interface Additions {
  added: number;
  added_before: number;
}

/** The rows with a count other than zero. Those of a figure may be many: each agent version has one. */
export async function readCounts(queries: Queries, figures: readonly Figure[]): Promise<CountRow[]> {
  const isWanted = sql`figure = any(${figures}::text[])`;
  const { rows } = await sql<CountRow>`
    select figure, key, detail, sum(n)::bigint as n from (
      select figure, key, detail, n from platform_count where ${isWanted}
      union all select figure, key, detail, n from platform_count_change where ${isWanted}
      union all select figure, key, '', n from license_count_change where ${isWanted}
    ) as count
    group by figure, key, detail having sum(n) <> 0`.execute(queries);
  return rows;
}

/** Additions of the last 30 days, today included, and of the 30 days before. */
export async function readAdditions(queries: Queries, figure: AddedFigure): Promise<Additions> {
  const day = (daysAgo: number) =>
    sql`to_char(now() at time zone 'UTC' - make_interval(days => ${daysAgo}), 'YYYY-MM-DD')`;
  const isRecent = sql`figure = ${figure} and key > ${day(60)}`;
  const { rows } = await sql<Additions>`
    select coalesce(sum(n) filter (where key > ${day(30)}), 0)::bigint as added,
      coalesce(sum(n) filter (where key <= ${day(30)}), 0)::bigint as added_before
    from (
      select key, n from platform_count where ${isRecent}
      union all select key, n from platform_count_change where ${isRecent}
    ) as count`.execute(queries);
  return rows[0] ?? { added: 0, added_before: 0 };
}

export interface ServerCounts {
  total_servers: number;
  online_servers: number;
  total_players: number;
}

/** SQL of rows with the counts of active licenses in one snapshot, those of licenses that the jobs have not moved yet included. */
const countsOfActive = (figures: readonly string[]) => sql`
  with change as materialized (select license_id, figure, key, n from license_count_change)
  select figure, key, n from platform_count where figure = any(${figures}::text[]) and detail = 'active'
  union all
  select figure, key, n from change
  where figure = any(${figures}::text[])
    and (select status = 'active' from license where license.id = change.license_id)
  union all
  select known.figure, known.key, case when known.is_active then -known.n else known.n end
  from (select distinct license_id from change where figure = 'license') as moved
  cross join lateral (select status = 'active' as is_active from license where license.id = moved.license_id) as license
  cross join lateral (
    select figure, key, n, is_active from license_count as count
    where count.license_id = moved.license_id and figure = any(${figures}::text[])
  ) as known
  where known.is_active <> license.is_active`;

export async function readActiveServers(queries: Queries): Promise<ServerCounts> {
  const maxInteger = 2_147_483_647;
  const { rows } = await sql<ServerCounts>`
    select coalesce(sum(n) filter (where figure = 'instances'), 0)::int as total_servers,
      coalesce(sum(n) filter (where figure = 'instances' and key = 'running'), 0)::int as online_servers,
      least(coalesce(sum(n) filter (where figure = 'players'), 0), ${maxInteger}::int)::int as total_players
    from (${countsOfActive(['instances', 'players'])}) as count`.execute(queries);
  return rows[0] ?? { total_servers: 0, online_servers: 0, total_players: 0 };
}

/**
 * SQL of what active licenses are charged for subscriptions each month, by `kind`, `reference` and `currency`:
 * `subscriptions` is their number, `monthly` the unrounded amount.
 */
export const chargedSubscriptions = sql`(
  with count as (
    select figure, key::jsonb as key, sum(n) as n
    from (${countsOfActive(['subscriptions', 'revenue_cents'])}) as part group by figure, key having sum(n) <> 0
  )
  select key ->> 0 as kind, key ->> 1 as reference, key ->> 2 as currency,
    coalesce(sum(n) filter (where figure = 'subscriptions'), 0)::int as subscriptions,
    coalesce(sum(n / case key ->> 3 when 'year' then 1200.0 else 100.0 end) filter (where figure = 'revenue_cents'), 0) as monthly
  from count group by 1, 2, 3
)`;
