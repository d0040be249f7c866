// Takes player events from game server plugins: checks them, stores each once, and queues their sessions.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { Download } from '../../results/results.ts';
import { licenseNow } from '../../database/license-clock.ts';
import type { Queries } from '../../database/reader.ts';
import { DomainError, invalidField } from '../../errors.ts';
import { typeForPlayers } from './player-commands.ts';
import { maxNewPlayers, storeEvents, type CheckedEvent } from './insert-events.ts';
import { formats } from '../../values/formats.ts';

type ReportedEvent = Schemas['PlayerEvent'];

/** Tolerance for inexact clocks of game servers. */
const aheadMs = 300_000;
const oldestMs = 7 * 86_400_000;

const pluginName = 'GantryEvents.cs';

/** Why an event is refused. */
interface Flaw {
  field: 'instance' | 'occurred_at' | 'steam_id';
  detail: string;
}

export class PluginEvents {
  async take(ctx: Ctx, event: ReportedEvent): Promise<Schemas['PlayerEventResult']['outcome']> {
    const { taken, flaws } = await takeThem(ctx, [event]);
    for (const { field, detail } of flaws.values()) {
      if (field === 'steam_id') throw new DomainError('limit_reached', detail);
      throw invalidField({ in: 'body', pointer: `/${field}`, detail });
    }
    return taken === 1 ? 'taken' : 'duplicate';
  }

  async takeAll(ctx: Ctx, events: readonly ReportedEvent[]): Promise<Schemas['PlayerEventBatchResult']> {
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

  /** Returns the source of the plugin that sends the events. */
  async download(): Promise<Download> {
    const file = resolve(import.meta.dirname, '../../../game-plugins', pluginName);
    return new Download(createReadStream(file), { mediaType: 'text/plain', fileName: pluginName });
  }
}

/** Stores the valid events; returns how many were new, and the flaws by the event's index. */
function takeThem(
  ctx: Ctx,
  events: readonly ReportedEvent[],
): Promise<{ taken: number; flaws: ReadonlyMap<number, Flaw> }> {
  return ctx.transact(async (em, queries) => {
    const instances = await instancesOf(queries, events);
    const flaws = new Map<number, Flaw>();
    const checked = new Map<string, CheckedEvent>();
    const now = (await licenseNow(queries)).getTime();
    for (const [index, event] of events.entries()) {
      const instance = instances.get(event.instance);
      const flaw = timeFlaw(event, now) ?? instanceFlaw(instance);
      if (flaw !== undefined) flaws.set(index, flaw);
      else if (typeof instance === 'string' && !checked.has(event.event_id))
        checked.set(event.event_id, checkedEvent(event, instance));
    }
    const { stored, unknownPlayers } = await storeEvents({ em, queries }, ctx.licenseId, [
      ...checked.values(),
    ]);
    if (unknownPlayers.size > 0)
      for (const [index, { steam_id }] of events.entries())
        if (unknownPlayers.has(steam_id) && !flaws.has(index)) flaws.set(index, noRoom);
    await typeForPlayers(em, stored);
    return { taken: stored.length, flaws };
  });
}

const noRoom: Flaw = {
  field: 'steam_id',
  detail: `The license has seen ${maxNewPlayers.toLocaleString('en')} new players today, which is the limit; try again tomorrow.`,
};

function checkedEvent(event: ReportedEvent, instanceId: string): CheckedEvent {
  return {
    event_id: event.event_id,
    occurred_at: new Date(event.occurred_at).toISOString(),
    instance_id: instanceId,
    steam_id: event.steam_id,
    kind: event.event,
    display_name: visibleName(event.display_name, event.steam_id),
  };
}

function timeFlaw({ occurred_at }: ReportedEvent, now: number): Flaw | undefined {
  const at = Date.parse(occurred_at);
  if (at > now + aheadMs)
    return {
      field: 'occurred_at',
      detail: `is more than 5 minutes ahead of the platform's time, ${iso(now)}`,
    };
  if (at < now - oldestMs) return { field: 'occurred_at', detail: 'is more than 7 days ago' };
  return undefined;
}

const iso = (ms: number) => new Date(ms).toISOString();

function instanceFlaw(found: string | null | undefined): Flaw | undefined {
  if (found === undefined) return { field: 'instance', detail: 'No such instance.' };
  if (found === null) return { field: 'instance', detail: 'Several instances have that name; send the id.' };
  return undefined;
}

/** Returns instance ids by the names or ids that the events use; null for a name that several instances share. */
async function instancesOf(
  queries: Queries,
  events: readonly ReportedEvent[],
): Promise<ReadonlyMap<string, string | null>> {
  const named = [...new Set(events.map(({ instance }) => instance))];
  const ids = named.filter((name) => formats.uuid(name));
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

const maxNameLength = 64;
/** Control characters, line ends, invisible characters, and characters that change the text direction. */
const hidden = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Returns the visible part of the name, or `instead` if nothing visible is left. */
function visibleName(name: string, instead: string): string {
  const visible = [...name.replace(hidden, '').trim()].slice(0, maxNameLength).join('').trimEnd();
  return visible === '' ? instead : visible;
}
