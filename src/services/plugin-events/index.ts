// What plugins of game servers tell of players: checked, stored once, and their sessions due to be derived.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../contract-types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { holdTurn } from '../../database/turns.ts';
import { invalidField } from '../../errors.ts';
import { visibleName } from './names.ts';

type Told = Schemas['PlayerEvent'];

/** Clocks of game servers are not exact. */
const aheadMs = 300_000;
const oldestMs = 7 * 86_400_000;

/** An event that is checked, as it is stored. */
export interface CheckedEvent {
  event_id: string;
  occurred_at: string;
  instance_id: string;
  steam_id: string;
  kind: Told['event'];
  display_name: string;
}

/** What is wrong with an event. */
interface Flaw {
  field: 'instance' | 'occurred_at';
  detail: string;
}

export class PluginEvents {
  async take(ctx: Ctx, event: Told): Promise<Schemas['TakenPlayerEvent']['outcome']> {
    const { taken, flaws } = await takeThem(ctx, [event]);
    for (const { field, detail } of flaws.values())
      throw invalidField({ in: 'body', pointer: `/${field}`, detail });
    return taken === 1 ? 'taken' : 'duplicate';
  }

  async takeAll(ctx: Ctx, events: readonly Told[]): Promise<Schemas['TakenPlayerEvents']> {
    const { taken, flaws } = await takeThem(ctx, events);
    return {
      taken,
      duplicates: events.length - flaws.size - taken,
      refused: [...flaws].map(([index, { field, detail }]) => ({
        pointer: `/events/${index}/${field}`,
        detail,
      })),
    };
  }
}

/** Stores those without a flaw; answers how many were new, and the flaws by the event's place. */
function takeThem(
  ctx: Ctx,
  events: readonly Told[],
): Promise<{ taken: number; flaws: ReadonlyMap<number, Flaw> }> {
  return ctx.transact(async (em, queries) => {
    const instances = await instancesOf(queries, events);
    const flaws = new Map<number, Flaw>();
    const checked = new Map<string, CheckedEvent>();
    const now = Date.now();
    for (const [index, event] of events.entries()) {
      const instance = instances.get(event.instance);
      const flaw = timeFlaw(event, now) ?? instanceFlaw(instance);
      if (flaw !== undefined) flaws.set(index, flaw);
      else if (typeof instance === 'string' && !checked.has(event.event_id))
        checked.set(event.event_id, checkedEvent(event, instance));
    }
    return { taken: await storeEvents(em, ctx.licenseId, [...checked.values()]), flaws };
  });
}

function checkedEvent(event: Told, instanceId: string): CheckedEvent {
  return {
    event_id: event.event_id,
    occurred_at: new Date(event.occurred_at).toISOString(),
    instance_id: instanceId,
    steam_id: event.steam_id,
    kind: event.event,
    display_name: visibleName(event.display_name, event.steam_id),
  };
}

function timeFlaw({ occurred_at }: Told, now: number): Flaw | undefined {
  const at = Date.parse(occurred_at);
  if (at > now + aheadMs)
    return { field: 'occurred_at', detail: `is more than 5 minutes ahead; here it is ${iso(now)}` };
  if (at < now - oldestMs) return { field: 'occurred_at', detail: 'is more than 7 days ago' };
  return undefined;
}

const iso = (ms: number) => new Date(ms).toISOString();

function instanceFlaw(found: string | null | undefined): Flaw | undefined {
  if (found === undefined) return { field: 'instance', detail: 'No such instance.' };
  if (found === null) return { field: 'instance', detail: 'Several instances have that name; send the id.' };
  return undefined;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids of the instances that the events name, by what they call them; null where several have that name. */
async function instancesOf(
  queries: Queries,
  events: readonly Told[],
): Promise<ReadonlyMap<string, string | null>> {
  const named = [...new Set(events.map(({ instance }) => instance))];
  const ids = named.filter((name) => uuid.test(name));
  const rows = await queries
    .selectFrom('game_instance')
    .select(['id', 'name'])
    .where((where) =>
      where.or([
        where('name', '=', sql<string>`any(${named}::text[])`),
        where('id', '=', sql<string>`any(${ids}::uuid[])`),
      ]),
    )
    .execute();
  const found = new Map<string, string | null>();
  for (const { id, name } of rows) found.set(name, found.has(name) ? null : id);
  for (const { id } of rows) if (ids.includes(id)) found.set(id, id);
  return found;
}

/**
 * Stores the events that are new, with all that follows from them, in one statement; answers how many there were. Those
 * of one license take turns, so that of two with the same id that come at once one is a duplicate, whatever they say.
 */
async function storeEvents(
  em: EntityManager,
  licenseId: string,
  events: readonly CheckedEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  await holdTurn(em, `player events ${licenseId}`);
  const stored = await em.execute<unknown[]>(storeStatement, [JSON.stringify(events)]);
  return stored.length;
}

/** Of a player's names more than these are not kept: a plugin could invent them. */
const mostNames = 100;

const storeStatement = `
  with told as (
    select * from json_to_recordset(?::json) as told(event_id text, occurred_at timestamptz, instance_id uuid,
      steam_id text, kind text, display_name text)
  ), stored as (
    insert into player_event (event_id, occurred_at, instance_id, steam_id, kind, display_name)
    select event_id, occurred_at, instance_id, steam_id, kind, display_name from told
    where not exists (
      select from player_event as known
      where known.event_id = told.event_id and known.occurred_at > now() - interval '14 days'
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
    select steam_id, display_name, min(occurred_at), max(occurred_at) from stored
    where (select count(*) from player_name where player_name.steam_id = stored.steam_id) < ${mostNames}
    group by steam_id, display_name order by steam_id, display_name
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
