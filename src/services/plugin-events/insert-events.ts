// Stores new player events, and updates players, their names and due sessions with them.
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { CompiledQuery } from 'kysely';
import type { Queries } from '../../database/reader.ts';
import { holdLock } from '../../database/advisory-locks.ts';
import { currentLicense } from '../../entities/tenant.ts';

/** A checked event, as it is stored. */
export interface CheckedEvent {
  event_id: string;
  occurred_at: string;
  instance_id: string;
  steam_id: string;
  kind: Schemas['PlayerEventKind'];
  display_name: string;
}

export interface StoredEvents {
  stored: CheckedEvent[];
  /** New players beyond the license's limit for today; nothing about them is stored. */
  unknownPlayers: ReadonlySet<string>;
}

/**
 * Stores the new events and all their consequences in one statement; returns the new events. An advisory lock
 * serialises the events of a license: of two concurrent events with the same id one is a duplicate, even if their
 * content differs.
 */
export async function storeEvents(
  { em, queries }: { em: EntityManager; queries: Queries },
  licenseId: string,
  events: readonly CheckedEvent[],
): Promise<StoredEvents> {
  if (events.length === 0) return { stored: [], unknownPlayers: new Set() };
  await holdLock(em, `player events ${licenseId}`);
  const unknownPlayers = await unknownPlayersAmong(em, events);
  const taken = events.filter(({ steam_id }) => !unknownPlayers.has(steam_id));
  if (taken.length === 0) return { stored: [], unknownPlayers };
  // As a parameter: the entity manager would write the text into the statement.
  const { rows } = await queries.executeQuery<{ event_id: string }>(
    CompiledQuery.raw(storeStatement, [JSON.stringify(taken)]),
  );
  const ids = new Set(rows.map(({ event_id }) => event_id));
  return { stored: taken.filter(({ event_id }) => ids.has(event_id)), unknownPlayers };
}

/** Maximum new players of a license per UTC day. Limits what the holder of a leaked license key can invent. */
export const maxNewPlayers = 20_000;

/**
 * Returns the new players beyond the limit; the earliest in the request are admitted. The limit is counted only if
 * there are new players.
 */
async function unknownPlayersAmong(em: EntityManager, events: readonly CheckedEvent[]): Promise<Set<string>> {
  const steamIds = [...new Set(events.map(({ steam_id }) => steam_id))];
  const rows = await em.execute<{ steam_id: string; today: number }[]>(
    `select steam_id, (
       select count(*) from player as today
       where today.license_id = ${currentLicense} and today.created_at >= date_trunc('day', now(), 'UTC')
     )::integer as today
     from jsonb_array_elements_text(?::jsonb) with ordinality as reported(steam_id, place)
     where not exists (select from player as known
       where known.license_id = ${currentLicense} and known.steam_id = reported.steam_id)
     order by place`,
    [JSON.stringify(steamIds)],
  );
  const room = Math.max(0, maxNewPlayers - (rows[0]?.today ?? 0));
  return new Set(rows.slice(room).map(({ steam_id }) => steam_id));
}

/** Maximum names kept of a player: a plugin could invent them. */
const maxNames = 100;

/** Takes the events as one JSON text. */
export const storeStatement = `
  with reported as (
    select * from json_to_recordset($1::json) as reported(event_id text, occurred_at timestamptz, instance_id uuid,
      steam_id text, kind text, display_name text)
  ), stored as (
    insert into player_event (event_id, occurred_at, instance_id, steam_id, kind, display_name)
    select event_id, occurred_at, instance_id, steam_id, kind, display_name from reported
    where not exists (
      select from player_event as known
      where known.license_id = ${currentLicense} and known.event_id = reported.event_id
        and known.occurred_at > now() - interval '14 days'
    )
    on conflict do nothing
    returning event_id, occurred_at, instance_id, steam_id, display_name
  ), seen as (
    insert into player (steam_id, name, first_seen_at, last_seen_at)
    select steam_id, (array_agg(display_name order by occurred_at desc, display_name desc))[1], min(occurred_at),
      max(occurred_at)
    from stored group by steam_id order by steam_id
    on conflict (license_id, steam_id) do update set
      name = case when (excluded.last_seen_at, excluded.name) > (player.last_seen_at, player.name) then excluded.name
        else player.name end,
      first_seen_at = least(player.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(player.last_seen_at, excluded.last_seen_at)
  ), named as (
    insert into player_name (steam_id, name, first_seen_at, last_seen_at)
    select steam_id, display_name, first_at, last_at from (
      select stored.steam_id, display_name, min(occurred_at) as first_at, max(occurred_at) as last_at,
        known.name is not null as is_known,
        row_number() over (partition by stored.steam_id, known.name is null order by display_name) as place
      from stored left join player_name as known on known.license_id = ${currentLicense}
        and known.steam_id = stored.steam_id and known.name = display_name
      group by stored.steam_id, display_name, known.name
    ) as shown
    where is_known or place + (
      select count(*) from player_name as known
      where known.license_id = ${currentLicense} and known.steam_id = shown.steam_id
    ) <= ${maxNames}
    order by steam_id, display_name
    on conflict (license_id, steam_id, name) do update set
      first_seen_at = least(player_name.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(player_name.last_seen_at, excluded.last_seen_at)
  ), due as (
    insert into player_session_due (instance_id, steam_id, since)
    select instance_id, steam_id, min(occurred_at) from stored group by instance_id, steam_id
    order by instance_id, steam_id
    on conflict (license_id, instance_id, steam_id) do update
      set since = least(player_session_due.since, excluded.since)
  )
  select event_id from stored`;
