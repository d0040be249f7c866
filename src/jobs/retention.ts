// Deletes players and their analytics past their retention, in batches, so that no transaction is long.
// housekeeping.ts deletes the rows of all other tables.
import { countOf, isAmong } from '../database/batches.ts';
import type { EntityManager } from '../database/connection.ts';
import type { BatchRunner } from './in-batches.ts';
import { ago, keptDays, settledSessionDays } from '../queue/retention-periods.ts';

/** Rows that one transaction deletes. */
const rowsAtOnce = 10_000;

interface Old {
  table: string;
  /** The condition for deletion; an index supports it. */
  isOld: string;
}

const isBefore = (days: number) => `day > '-infinity' and day < current_date - ${days}`;

/** Whether the row is the last one before a day that may still change; that day's new players are determined by it. */
const isNeeded = `exists (
  select from player_day as next where next.license_id = player_day.license_id
    and next.scope_id = player_day.scope_id and next.steam_id = player_day.steam_id and next.day > player_day.day
  having min(next.day) >= current_date - ${settledSessionDays})`;

const olds: readonly Old[] = [
  {
    table: 'api_key_deprecated_use',
    isOld: `last_used_at < ${ago(keptDays.api_key_deprecated_use)}`,
  },
  { table: 'session_quarter', isOld: `quarter_at < ${ago(keptDays.session_quarter)}` },
  { table: 'session_day', isOld: isBefore(keptDays.session_day) },
  { table: 'player_day_count', isOld: isBefore(keptDays.player_day_count) },
  { table: 'player_return', isOld: isBefore(keptDays.player_return) },
  {
    table: 'player_day',
    isOld: `${isBefore(keptDays.player_day)} and not ${isNeeded}`,
  },
  {
    // The 30-day and 90-day ranges are computed from these rows; rolled-up months contain older data.
    table: 'map_day',
    isOld: `day < current_date - ${keptDays.map_day} and exists (
      select from map_month where map_month.license_id = map_day.license_id
        and month >= date_trunc('month', day)::date)`,
  },
  {
    // Deletes players with their names, except those who were banned or had another action taken against them.
    table: 'player',
    isOld: `last_seen_at < ${ago(keptDays.player)} and not exists (
      select from player_action as action
      where action.license_id = player.license_id and action.steam_id = player.steam_id)`,
  },
];

export async function deleteOld(runner: BatchRunner): Promise<void> {
  const failures: unknown[] = [];
  for (const work of [...olds.map((old) => (em: EntityManager) => deleteSome(em, old)), forgetWipePlayers])
    await runner.repeat(work).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} tables could not be tidied`);
}

function deleteSome(em: EntityManager, { table, isOld }: Old): Promise<number> {
  return countOf(em, `delete from ${table} where ${isAmong(table, isOld, rowsAtOnce)}`);
}

/** The players of a wipe are kept while their count may change; the count itself stays. */
async function forgetWipePlayers(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `with old as (
       select license_id, wipe_id from wipe_retention
       where has_players and is_counted and wiped_at < ${ago(keptDays.wipe_player)}
       order by wiped_at limit 100 for update skip locked
     ), gone as (
       delete from wipe_player where ctid = any(array(
         select wipe_player.ctid from old join wipe_player using (license_id, wipe_id) limit ${rowsAtOnce}))
       returning license_id, wipe_id
     ), over as (
       update wipe_retention set has_players = false from old
       where wipe_retention.license_id = old.license_id and wipe_retention.wipe_id = old.wipe_id
         and (select count(*) from gone) < ${rowsAtOnce}
       returning 1
     )
     select greatest((select count(*) from gone), (select count(*) from over) / 100 * ${rowsAtOnce})::integer as count`,
  );
  return row?.count ?? 0;
}
