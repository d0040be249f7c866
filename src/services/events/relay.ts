// Relays the events of the log, in its order: queues the deliveries of webhooks, and the notifications of alerts.
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Contexts, Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { eventBody, matches } from '../../events/cursor.ts';
import { eventsAtOnce, maxBytesAtOnce } from './next-events.ts';
import { notifyingTypes, queueNotifications, type AlertEvent } from '../notifications/from-events.ts';

/** Licenses of one run, and those worked on at the same time. */
const licensesAtOnce = 64;
const concurrency = 4;

/** A license whose events may wait to be relayed. */
export interface News {
  licenseId: string;
  /** The newest event when it was found. */
  seq: number;
  isActive: boolean;
}

export interface RelayParts {
  /** Runs `licensesWithNews` on the rows of every license. */
  find: () => Promise<News[]>;
  /** Runs `clearNews`, in a transaction of its own. */
  clear: (news: News) => Promise<void>;
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
      for (const news of waiting)
        await this.#relay(news).catch((error: unknown) =>
          this.#parts.log.error({ err: error, license: news.licenseId }, 'events could not be relayed'),
        );
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }

  async #relay(news: News): Promise<void> {
    if (news.isActive)
      await this.#parts.contexts.forJob('relay-events', news.licenseId, async (ctx) => {
        while (await relayBatch(ctx));
      });
    await this.#parts.clear(news);
  }
}

/** Licenses that are marked to have news, the ones that wait longest first. */
export async function licensesWithNews(queries: Queries): Promise<News[]> {
  const rows = await queries
    .selectFrom('event_sequence as known')
    .innerJoin('license', 'license.id', 'known.license_id')
    .select(['license.id', 'license.status', 'known.last_seq'])
    .where(sql<boolean>`known.has_news`)
    .orderBy('known.last_at')
    .limit(licensesAtOnce)
    .execute();
  return rows.map(({ id, status, last_seq: seq }) => ({ licenseId: id, seq, isActive: status === 'active' }));
}

/**
 * Removes the mark, unless there are newer events: their commit has waited for this row, or this for their commit. That
 * a license is active again is an event, which marks it again.
 */
export async function clearNews(em: EntityManager, { licenseId, seq, isActive }: News): Promise<void> {
  await em.execute(
    `update event_sequence as known set has_news = false
     where license_id = ? and has_news and last_seq = ?
       and (not ? or exists (select from event_relay as relay where relay.license_id = known.license_id and relay.seq >= ?))`,
    [licenseId, seq, isActive, seq],
  );
}

/**
 * Relays the next events in one transaction: a killed process has relayed all of them or none. Returns whether
 * there are more.
 */
async function relayBatch(ctx: Ctx): Promise<boolean> {
  return ctx.transact(async (em) => {
    const relay = await lockedRelay(em);
    if (relay === undefined) return false;
    const [row] = await em.execute<{ hasMore: boolean; ofAlerts: AlertEvent[] | null }[]>(
      `with next as materialized (
         select * from event_log as event
         where license_id = ? and (recorded_at, seq) > (?::timestamptz, ?::bigint)
         order by recorded_at, seq limit ${eventsAtOnce}
       ), measured as (
         select *, sum(octet_length(data::text)) over (order by seq) - octet_length(data::text) as bytes_before from next
       ), batch as materialized (
         select * from measured where bytes_before < ${maxBytesAtOnce}
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
       select (select count(*) from next) = ${eventsAtOnce} or (select count(*) from next) > (select count(*) from batch)
         as "hasMore",
         (select jsonb_agg(jsonb_build_object('seq', seq, 'type', type, 'alert_id', subject_id) order by seq)
          from batch where type = any(?::text[])) as "ofAlerts"`,
      [ctx.licenseId, relay.at, relay.seq, ctx.licenseId, `{${notifyingTypes.join(',')}}`],
    );
    await queueNotifications(em, row?.ofAlerts ?? []);
    return row?.hasMore ?? false;
  });
}

/** Undefined while another replica works on the license. */
async function lockedRelay(em: EntityManager): Promise<{ seq: number; at: string } | undefined> {
  const [relay] = await em.execute<{ seq: number; at: string }[]>(
    'select seq, at from event_relay for update skip locked',
  );
  return relay;
}
