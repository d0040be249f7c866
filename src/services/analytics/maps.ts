// Map analytics, from heartbeat figures and from the sessions that began on each map.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { Queries } from '../../database/reader.ts';
import { lastDays, rounded } from './period.ts';

/** A map's figures within the range. */
interface MapRow {
  map_id: string;
  name: string;
  hours: number;
  average_players: number | null;
  peak_players: number | null;
  sessions: number;
  unique_players: number;
}

export interface MapFigures extends MapRow {
  effectiveness: number | null;
  color: Schemas['EffectivenessColor'] | null;
}

export interface MapAnalytics {
  range: NonNullable<Query<'getMapAnalytics'>['range']>;
  from: string | null;
  maps: MapFigures[];
  best: MapFigures | null;
  rotationEffectiveness: number | null;
}

const daysOfRange = { '30d': 30, '90d': 90, all: null } as const;

export async function mapAnalytics(
  ctx: Ctx,
  { range = '90d' }: Query<'getMapAnalytics'>,
): Promise<MapAnalytics> {
  const days = daysOfRange[range];
  const rows = await ctx.readLagging(async (queries) => {
    const { rows: found } = await (
      days === null ? sinceEver(await firstOpenDay(queries)) : since(lastDays(days).from)
    ).execute(queries);
    return found;
  });
  return { range, from: days === null ? null : lastDays(days).from, ...compare(rows) };
}

/** Returns each map's effectiveness, the best map, and the effectiveness of the whole rotation. */
export function compare(
  rows: readonly MapRow[],
): Pick<MapAnalytics, 'maps' | 'best' | 'rotationEffectiveness'> {
  const maps = rows
    .map((row): MapFigures => {
      const exact = effectivenessOf(row);
      const effectiveness = exact === null ? null : rounded(exact, 1);
      return { ...row, effectiveness, color: effectiveness === null ? null : colorOf(effectiveness) };
    })
    .toSorted((one, other) => other.hours - one.hours || compareText(one.map_id, other.map_id));
  const rated = maps.filter(({ effectiveness }) => effectiveness !== null);
  const hours = rated.reduce((sum, map) => sum + map.hours, 0);
  const weighted = rated.reduce((sum, map) => sum + (effectivenessOf(map) ?? 0) * map.hours, 0);
  return {
    maps,
    best: rated.toSorted((one, other) => (other.effectiveness ?? 0) - (one.effectiveness ?? 0))[0] ?? null,
    rotationEffectiveness: hours === 0 ? null : rounded(weighted / hours, 1),
  };
}

function effectivenessOf({ average_players: average, peak_players: peak }: MapRow): number | null {
  return average === null || peak === null || peak === 0 ? null : (average / peak) * 100;
}

function colorOf(effectiveness: number): Schemas['EffectivenessColor'] {
  if (effectiveness >= 80) return 'green';
  return effectiveness >= 60 ? 'yellow' : 'red';
}

const compareText = (one: string, other: string) => (one < other ? -1 : 1);

const playedSince = (from: ReturnType<typeof sql>) => sql`
  select map_id, 0 as slots, players_samples, players_sum, players_max from instance_stats_day
  where bucket_at >= ${from}::timestamp at time zone 'UTC'
  union all
  select map_id, bit_count(slots), 0, 0, null from map_day where day >= ${from}::date`;

const figures = (played: ReturnType<typeof sql>, sessions: ReturnType<typeof sql>) => sql<MapRow>`
  with played as (
    select map_id, sum(slots)::float8 / 12 as hours, sum(players_samples)::float8 as samples,
      sum(players_sum)::float8 as players, max(players_max) as peak_players
    from (${played}) as played group by map_id
  )
  select map_id, name, hours, players / nullif(samples, 0) as average_players, peak_players,
    sessions, unique_players
  from played join played_map on played_map.id = map_id
  cross join lateral (${sessions}) as counted`;

/** Adds up the sessions of the days. Counts each player once, on the first day they played within the range. */
const since = (from: string) =>
  figures(
    playedSince(sql.val(from)),
    sql`
      select
        (select coalesce(sum(sessions), 0)::int8 from session_day
          where scope_id = map_id and day >= ${from}::date) as sessions,
        (select coalesce(sum(players), 0) from player_day_count
          where scope_id = map_id and day >= ${from}::date)::int8
        - (select coalesce(sum(back.players), 0) from player_day_count as each cross join lateral (
            select players from player_return where scope_id = map_id and day = each.day
              and gap <= each.day - ${from}::date
          ) as back where each.scope_id = map_id and each.day >= ${from}::date)::int8 as unique_players`,
  );

/** Returns the first day after the rolled-up months. */
async function firstOpenDay(queries: Queries): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select coalesce((max(month) + interval '1 month')::date, '-infinity')::text as day from map_month`.execute(
    queries,
  );
  return rows[0]?.day ?? '-infinity';
}

/** The rolled-up months and the days after them. */
const sinceEver = (from: string) =>
  figures(
    sql`
      select map_id, slots, players_samples, players_sum, players_max from map_month
      union all
      ${playedSince(sql.val(from))}`,
    sql`
      select
        (select coalesce(sum(sessions), 0)::int8 from session_day
          where scope_id = map_id and day = '-infinity') as sessions,
        coalesce((select players from player_day_count
          where scope_id = map_id and day = '-infinity'), 0) as unique_players`,
  );
