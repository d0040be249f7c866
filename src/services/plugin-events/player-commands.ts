// Sends the commands that are in force on an instance for players who join and leave.
import type { BusSchemas } from '../../platform-contract/bus-types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { currentLicense } from '../../entities/tenant.ts';
import { enqueueRelay } from '../../queue/enqueue.ts';
import { newCommand, waitingLimit } from '../commands/index.ts';
import { roomWithin } from '../../preconditions/limits.ts';
import type { CheckedEvent } from './insert-events.ts';

/** Events older than this trigger no commands. */
const freshMs = 2 * 60_000;
const by = 'Timed commands';

interface DueCommands {
  instance_id: string;
  host_id: string;
  occurred_at: string;
  steam_id: string;
  display_name: string;
  lines: string[];
  /** The user who requested the application. */
  requested_by: string | null;
}

/**
 * Must be called with the events that were just stored, in the same transaction. Each event is stored once, so its
 * commands are sent once.
 */
export async function typeForPlayers(em: EntityManager, events: readonly CheckedEvent[]): Promise<void> {
  const now = Date.now();
  const fresh = events.filter(({ occurred_at }) => Date.parse(occurred_at) > now - freshMs);
  if (fresh.length === 0 || !(await haveCommands(em, fresh))) return;
  const due = await em.execute<DueCommands[]>(dueStatement, [JSON.stringify(fresh)]);
  for (const [hostId, ofHost] of Map.groupBy(due, ({ host_id }) => host_id)) {
    const room = await roomWithin(em, waitingLimit(em, hostId));
    const taken = ofHost.slice(0, Math.max(room, 0));
    for (const { instance_id: id, lines, occurred_at, steam_id, display_name, requested_by } of taken)
      newCommand(
        em,
        { id, hostId },
        {
          verb: 'type_lines',
          args: { lines, steam_id, player_name: display_name, by } satisfies BusSchemas['TypeLinesArguments'],
          lifetimeMs: Math.min(Date.parse(occurred_at) + freshMs - now, freshMs),
          requestedBy: requested_by,
        },
      );
    await em.flush();
    if (taken.length > 0) await enqueueRelay(em, hostId);
  }
}

/** Whether commands for players were ever applied to an instance of the events. */
async function haveCommands(em: EntityManager, events: readonly CheckedEvent[]): Promise<boolean> {
  const instanceIds = new Set(events.map(({ instance_id }) => instance_id));
  const found = await em.execute(
    `select from plugin_application where license_id = ${currentLicense} and instance_id = any(?::uuid[])
       and status = 'succeeded' and player_commands is not null limit 1`,
    [`{${[...instanceIds].join(',')}}`],
  );
  return found.length > 0;
}

/**
 * Takes the events as one JSON text. An event triggers commands if it is the player's latest on the instance and is
 * news: no event precedes it, or the preceding one is of another kind or more than 24 hours old, or the server has
 * restarted or stopped since that one.
 */
const dueStatement = `
  with reported as (
    select * from json_to_recordset(?::json) as reported(event_id text, occurred_at timestamptz, instance_id uuid,
      steam_id text, kind text, display_name text)
  )
  select reported.instance_id, instance.host_id, reported.occurred_at, reported.steam_id, reported.display_name,
    applied.lines, applied.requested_by
  from reported join game_instance as instance on instance.license_id = ${currentLicense} and instance.id = reported.instance_id
  cross join lateral (
    select application.player_commands -> reported.kind as lines, application.requested_by
    from plugin_application as application
    where application.license_id = ${currentLicense} and application.instance_id = reported.instance_id
      and application.status = 'succeeded' and application.player_commands is not null
      and application.player_commands -> reported.kind is not null
    order by application.finished_at desc limit 1
  ) as applied
  left join lateral (
    select event.kind, event.occurred_at from player_event as event
    where event.license_id = ${currentLicense} and event.instance_id = reported.instance_id
      and event.steam_id = reported.steam_id
      and (event.occurred_at, event.event_id) < (reported.occurred_at, reported.event_id)
    order by event.occurred_at desc, event.event_id desc limit 1
  ) as before on true
  where jsonb_array_length(applied.lines) > 0
    and coalesce('console_input' = any(instance.capabilities), true)
    and not exists (
      select from player_event as later
      where later.license_id = ${currentLicense} and later.instance_id = reported.instance_id
        and later.steam_id = reported.steam_id and later.occurred_at > reported.occurred_at
        and not (later.kind = reported.kind and later.event_id in (select event_id from reported))
    )
    and (before.kind is distinct from reported.kind or before.occurred_at < reported.occurred_at - interval '24 hours'
      or exists (
        select from instance_state_interval as since
        where since.license_id = ${currentLicense} and since.instance_id = reported.instance_id
          and since.from_at > before.occurred_at and since.state in ('starting', 'stopped', 'crashed')
      ))
  order by reported.occurred_at, reported.event_id`;
