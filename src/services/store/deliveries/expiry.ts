// Expires orders that were not paid in time, and deliveries that can no longer be made.
import { countOf, isAmong } from '../../../database/batches.ts';
import type { EntityManager } from '../../../database/connection.ts';
import { ago, keptDays } from '../../../queue/retention-periods.ts';

/** Allows for provider callbacks about last-minute payments that are still in transit. */
const graceMinutes = 10;
/** A provider that has not reported the outcome of a checkout for this long is no longer polled. */
const unansweredDays = 2;

/** SQL: when an unpaid order expires. */
export const orderEndsAt = `expires_at + case when checkout_reference is null
  then interval '${graceMinutes} minutes' else interval '${unansweredDays} days' end`;

/** SQL: the delivery expires at its time. */
export const isUndelivered = `finished_at is null and status <> 'sent'`;

/** Maximum rows written in one transaction: callbacks and agents report on the same rows. */
const rowsAtOnce = 300;

/** `now` is the SQL of the time: real time for all licenses, or the clock of the one that the transaction sees. */
export async function expireOrders(em: EntityManager, now = 'now()'): Promise<number> {
  const isOver = `status = 'pending' and expires_at < ${now} and ${orderEndsAt} < ${now}`;
  return countOf(
    em,
    `update store_order set status = 'expired', has_expired = true where ${isAmong('store_order', isOver, rowsAtOnce)}`,
  );
}

/** Expires orders of all licenses, and deletes old reports about payments that belong to no order. */
export async function giveUpOrders(em: EntityManager): Promise<number> {
  const orders = await expireOrders(em);
  const isForgotten = `outcome = 'unmatched' and received_at < ${ago(keptDays.store_payment_event)}`;
  const events = await countOf(
    em,
    `delete from store_payment_event where ${isAmong('store_payment_event', isForgotten, rowsAtOnce)}`,
  );
  return orders + events;
}

export async function giveUpDeliveries(em: EntityManager, now = 'now()'): Promise<number> {
  const give = (changes: string, condition: string) =>
    countOf(
      em,
      `update store_delivery set ${changes}, finished_at = ${now}
       where ${isAmong('store_delivery as delivery', condition, rowsAtOnce)}`,
    );
  const expired = await give(
    `status = 'expired', next_attempt_at = null, detail = coalesce(detail, 'The game server was not available in time.')`,
    `${isUndelivered} and expires_at < ${now}`,
  );
  const cancelled = await give(
    `status = 'cancelled', next_attempt_at = null, detail = 'The instance was deleted.'`,
    `finished_at is null and instance_id is null and status <> 'sent'`,
  );
  // The command was deleted with its instance or its host.
  const uncertain = await give(
    `status = 'uncertain', detail = 'The instance was deleted while the delivery was in progress.'`,
    `status = 'sent' and not exists (
       select from command where command.license_id = delivery.license_id and command.id = delivery.command_id)`,
  );
  return expired + cancelled + uncertain;
}
