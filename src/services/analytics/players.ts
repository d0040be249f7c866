// Counts unique and new players, by day and over a period.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import { lastDays, scopeOf } from './period.ts';

const defaultDays = 30;

export async function playerAnalytics(
  ctx: Ctx,
  { days = defaultDays, instance_id: instanceId }: Query<'getPlayerAnalytics'>,
) {
  const period = lastDays(days);
  return ctx.readLagging(async (queries) => {
    const scope = await scopeOf(queries, instanceId);
    const { rows } = await sql<{ day: string; players: number; new_players: number; met_before: number }>`
      select day::text, players, new_players, (
        select coalesce(sum(players), 0)::int8 from player_return
        where scope_id = ${scope} and day = each.day and gap <= each.day - ${period.from}::date
      ) as met_before
      from player_day_count as each
      where scope_id = ${scope} and day between ${period.from}::date and ${period.to}::date and players > 0
      order by day`.execute(queries);
    const total = (count: (row: (typeof rows)[number]) => number) =>
      rows.reduce((sum, row) => sum + count(row), 0);
    return {
      ...period,
      // A player who played earlier in the period was counted on that day.
      uniquePlayers: total(({ players, met_before }) => players - met_before),
      newPlayers: total(({ new_players }) => new_players),
      days: rows,
    };
  });
}

export type PlayerAnalytics = Awaited<ReturnType<typeof playerAnalytics>>;
