// Hands the events of the log to webhooks: makes their deliveries, in the order of the log.
import type { Logger } from 'pino';
import type { Contexts, Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { eventBody, matches } from '../../events/cursor.ts';

/** Licenses of one run, and those worked on at the same time. */
const licensesAtOnce = 64;
const concurrency = 4;
/** Events that one transaction hands on. */
const eventsAtOnce = 500;

export interface RelayParts {
  /** Runs `licensesWithNews` on the rows of every license. */
  find: () => Promise<string[]>;
  contexts: Contexts;
  log: Logger;
}

export class EventRelays {
  readonly #parts: RelayParts;

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** Any number of replicas may run it: each license is handled by one at a time. */
  async run(): Promise<void> {
    const waiting = (await this.#parts.find()).values();
    const work = async () => {
      for (const licenseId of waiting)
        await this.#relay(licenseId).catch((error: unknown) =>
          this.#parts.log.error({ err: error, license: licenseId }, 'events could not be handed to webhooks'),
        );
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }

  async #relay(licenseId: string): Promise<void> {
    await this.#parts.contexts.forJob('relay-events', licenseId, async (ctx) => {
      while ((await relayBatch(ctx)) === eventsAtOnce);
    });
  }
}

/** Active licenses with events that were not handed on, the ones that wait longest first. */
export async function licensesWithNews(queries: Queries): Promise<string[]> {
  const rows = await queries
    .selectFrom('event_relay as relay')
    .innerJoin('event_sequence as known', 'known.license_id', 'relay.license_id')
    .innerJoin('license', 'license.id', 'relay.license_id')
    .select('license.id')
    .where('license.status', '=', 'active')
    .whereRef('relay.seq', '<', 'known.last_seq')
    .orderBy('known.last_at')
    .limit(licensesAtOnce)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Hands on the next events, in one transaction: a killed process has handed on all of them or none. Returns how many
 * there were.
 */
async function relayBatch(ctx: Ctx): Promise<number> {
  return ctx.transact(async (em) => {
    const relay = await lockedRelay(em);
    if (relay === undefined) return 0;
    const [row] = await em.execute<{ events: number }[]>(
      `with batch as materialized (
         select * from event_log as event
         where license_id = ? and (recorded_at, seq) > (?::timestamptz, ?::bigint)
         order by recorded_at, seq limit ${eventsAtOnce}
       ), listening as (
         select id, events, from_seq from webhook where is_enabled order by id for share
       ), made as (
         insert into webhook_delivery (webhook_id, event, event_id, body)
         select listening.id, event.type, event.id, ${eventBody('event')}
         from batch as event join listening on event.seq > listening.from_seq and ${matches('listening.events', 'event')}
         order by event.seq
         on conflict (webhook_id, event_id) do nothing
       ), newest as (
         select seq, recorded_at from batch order by seq desc limit 1
       ), moved as (
         update event_relay set seq = newest.seq, at = newest.recorded_at from newest
         where event_relay.license_id = ?
       )
       select count(*)::integer as events from batch`,
      [ctx.licenseId, relay.at, relay.seq, ctx.licenseId],
    );
    return row?.events ?? 0;
  });
}

/** Undefined while another replica works on the license. */
async function lockedRelay(em: EntityManager): Promise<{ seq: number; at: string } | undefined> {
  const [relay] = await em.execute<{ seq: number; at: string }[]>(
    'select seq, at from event_relay for update skip locked',
  );
  return relay;
}
