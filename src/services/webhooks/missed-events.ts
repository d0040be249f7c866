// Queues events of the log for one webhook: those that it missed, and those that were not relayed yet.
import type { EntityManager } from '../../database/connection.ts';
import { eventBody, matches } from '../../events/cursor.ts';
import type { Webhook } from '../../entities/index.ts';

/** Enabling a webhook delivers missed events of at most this age, and at most this many. */
const maxMissedDays = 30;
const maxMissedEvents = 1_000;

/**
 * Queues the latest events since the webhook was disabled that were never queued for it, and the deliveries that
 * disabling it cancelled. Looks back another minute, because the clocks of replicas differ.
 */
export async function queueMissed(
  em: EntityManager,
  { id, events, offSince, createdAt }: Webhook,
): Promise<void> {
  if (offSince === null || offSince === undefined) return;
  await em.execute(
    `update webhook_delivery set status = 'pending', next_attempt_at = now(), finished_at = null
     where webhook_id = ? and status = 'cancelled' and finished_at >= ?::timestamptz - interval '1 minute'`,
    [id, offSince],
  );
  await em.execute(
    `insert into webhook_delivery (webhook_id, event, event_id, body)
     select ?, type, id, ${eventBody('missed')} from (
       select * from event_log as event
       where ${matches('?::text[]', 'event')} and recorded_at >= greatest(?::timestamptz - interval '1 minute',
           ?::timestamptz, now() - make_interval(days => ?))
         and not exists (select from webhook_delivery where webhook_id = ? and event_id = event.id)
       order by recorded_at desc, seq desc limit ?
     ) as missed order by seq
     on conflict (webhook_id, event_id) do nothing`,
    [id, `{${events.join(',')}}`, offSince, createdAt, maxMissedDays, id, maxMissedEvents],
  );
}

/** From now on only later events are relayed. Call it with the webhook's row locked. */
export async function skipEarlier(em: EntityManager, webhookId: string): Promise<void> {
  await em.execute(
    `update webhook set from_seq = coalesce((select last_seq from event_sequence
       where event_sequence.license_id = webhook.license_id), 0) where id = ?`,
    [webhookId],
  );
}

/**
 * Queues the events until now that were not relayed yet, because the relay skips disabled webhooks. Call it with the
 * row of the enabled webhook locked.
 */
export async function queueUnrelayed(em: EntityManager, webhookId: string): Promise<void> {
  await em.execute(
    `insert into webhook_delivery (webhook_id, event, event_id, body)
     select webhook.id, event.type, event.id, ${eventBody('event')}
     from webhook join event_relay as relay on relay.license_id = webhook.license_id
       join event_log as event on event.license_id = webhook.license_id
         and (event.recorded_at, event.seq) > (relay.at, relay.seq) and event.seq > webhook.from_seq
         and ${matches('webhook.events', 'event')}
     where webhook.id = ? order by event.seq
     on conflict (webhook_id, event_id) do nothing`,
    [webhookId],
  );
  await skipEarlier(em, webhookId);
}
