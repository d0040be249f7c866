// Ends orders that nobody has paid in time, and deliveries that were never possible.
import type { EntityManager } from '../../database/connection.ts';
import { ago, keptDays } from '../../jobs/kept.ts';

/** What a provider tells of the last moment is still on its way. */
const graceMinutes = 10;
/** A provider that does not say for so long what became of a checkout is not asked any more. */
const unansweredDays = 2;

export async function giveUpOrders(em: EntityManager): Promise<void> {
  await em.execute(
    `update store_order set status = 'expired', has_expired = true
     where status = 'pending' and (
       expires_at < now() - make_interval(days => ?)
       or checkout_reference is null and expires_at < now() - make_interval(mins => ?))`,
    [unansweredDays, graceMinutes],
  );
  await em.execute(
    `delete from store_payment_event where outcome = 'unmatched' and received_at < ${ago(keptDays.store_payment_event)}`,
  );
}

export async function giveUpDeliveries(em: EntityManager): Promise<void> {
  await em.execute(
    `update store_delivery set status = 'expired', next_attempt_at = null, finished_at = now(),
       detail = coalesce(detail, 'Its server was never there in time.')
     where finished_at is null and status <> 'sent' and expires_at < now()`,
  );
  await em.execute(
    `update store_delivery set status = 'cancelled', next_attempt_at = null, finished_at = now(),
       detail = 'The instance was deleted.'
     where finished_at is null and instance_id is null and status <> 'sent'`,
  );
  // The command was deleted with its instance or its host.
  await em.execute(
    `update store_delivery as delivery set status = 'uncertain', finished_at = now(),
       detail = 'The instance was deleted while it was on its way.'
     where status = 'sent' and not exists (
       select from command where command.license_id = delivery.license_id and command.id = delivery.command_id)`,
  );
}
