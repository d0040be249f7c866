// Creates the deliveries that follow from payments, refunds and wipes; creation is idempotent.
import type { EntityManager } from '../../../database/connection.ts';

interface OrderOfLicense {
  id: string;
  licenseId: string;
}

/** How long a revocation waits for its server. */
const revocationDays = 30;

const ofNewDelivery = `license_id, order_id, line_id, instance_id, instance_name, steam_id, kind, unit`;

/**
 * Creates a delivery per unit and instance. One whose instance no longer exists is created as cancelled, so that it is
 * visible.
 */
export async function makeDeliveries(em: EntityManager, { id, licenseId }: OrderOfLicense): Promise<void> {
  const units = `store_order as bought
     join store_order_line as line on line.license_id = bought.license_id and line.order_id = bought.id
     cross join jsonb_array_elements_text(line.instance_ids) as target
     cross join generate_series(1, line.quantity) as unit`;
  // Inserted only once: the unique index does not cover deliveries without an instance.
  await em.execute(
    `insert into store_delivery (${ofNewDelivery}, expires_at, status, next_attempt_at, finished_at, detail)
     select line.license_id, line.order_id, line.id, null, 'deleted', bought.steam_id, 'delivery', unit,
       license_now() + make_interval(days => line.delivery_days), 'cancelled', null, license_now(), 'The instance was deleted.'
     from ${units}
     where bought.license_id = ? and bought.id = ?
       and not exists (select from game_instance as instance
         where instance.license_id = line.license_id and instance.id = target.value::uuid)
       and not exists (select from store_delivery as made
         where made.license_id = line.license_id and made.line_id = line.id)`,
    [licenseId, id],
  );
  await em.execute(
    `insert into store_delivery (${ofNewDelivery}, expires_at)
     select line.license_id, line.order_id, line.id, instance.id, instance.name, bought.steam_id, 'delivery', unit,
       license_now() + make_interval(days => line.delivery_days)
     from ${units}
     join game_instance as instance on instance.license_id = line.license_id and instance.id = target.value::uuid
     where bought.license_id = ? and bought.id = ?
     on conflict do nothing`,
    [licenseId, id],
  );
}

/**
 * Cancels what has not been delivered. What was delivered, or may have been, is revoked where the item has revoke
 * commands, once per delivery. Call it with the order locked.
 */
export async function reverseDeliveries(em: EntityManager, { id, licenseId }: OrderOfLicense): Promise<void> {
  await cancelWaiting(em, { id, licenseId }, 'delivery', 'The payment was refunded or charged back.');
  await em.execute(
    `insert into store_delivery (${ofNewDelivery}, expires_at, created_at)
     select distinct on (arrived.line_id, arrived.unit, arrived.instance_id)
       arrived.license_id, arrived.order_id, arrived.line_id, arrived.instance_id, arrived.instance_name,
       arrived.steam_id, 'revocation', arrived.unit, license_now() + make_interval(days => ?), clock_timestamp()
     from store_delivery as arrived
     join store_order_line as line on line.license_id = arrived.license_id and line.id = arrived.line_id
     where arrived.license_id = ? and arrived.order_id = ? and arrived.kind = 'delivery'
       and (arrived.status in ('delivered', 'uncertain')
         or arrived.status = 'failed' and arrived.error_code = 'game_refused')
       and arrived.instance_id is not null and jsonb_array_length(line.revoke_commands) > 0
       and not exists (select from store_delivery as undone
         where undone.license_id = arrived.license_id and undone.line_id = arrived.line_id
           and undone.unit = arrived.unit and undone.instance_id = arrived.instance_id
           and undone.kind = 'revocation' and undone.status <> 'cancelled'
           and undone.created_at >= arrived.finished_at)
     on conflict do nothing`,
    [revocationDays, licenseId, id],
  );
}

/**
 * Resumes deliveries that were cancelled because of a reversal and never taken by an agent. They keep their ids, so
 * that an agent that carried one out anyway does not repeat it. Deliveries that a person has resent since, or that were
 * revoked, stay unchanged.
 */
export async function resumeCancelled(em: EntityManager, { id, licenseId }: OrderOfLicense): Promise<void> {
  await em.execute(
    `update store_delivery as delivery set status = 'waiting', next_attempt_at = now(), finished_at = null, detail = null,
       error_code = null, expires_at = license_now() + make_interval(days => line.delivery_days)
     from store_order_line as line
     where delivery.license_id = ? and delivery.order_id = ? and delivery.kind = 'delivery'
       and delivery.status = 'cancelled' and delivery.instance_id is not null
       and line.license_id = delivery.license_id and line.id = delivery.line_id
       and not exists (select from store_delivery as again
         where again.license_id = delivery.license_id and again.created_at > delivery.created_at
           and again.resend_of in (delivery.id, delivery.resend_of))
       and not exists (select from store_delivery as undone
         where undone.license_id = delivery.license_id and undone.line_id = delivery.line_id
           and undone.unit = delivery.unit and undone.instance_id = delivery.instance_id
           and undone.kind = 'revocation' and undone.status <> 'cancelled')
       and not exists (select from wipe_history as given
         join wipe_history as later on later.license_id = given.license_id and later.instance_id = given.instance_id
         where given.license_id = delivery.license_id and given.id = delivery.wipe_id
           and later.begun_at > given.begun_at)`,
    [licenseId, id],
  );
}

/** Cancels revocations that have not been carried out, so that the buyer keeps the items. */
export function cancelRevocations(em: EntityManager, order: OrderOfLicense): Promise<void> {
  return cancelWaiting(em, order, 'revocation', 'The payment is valid again, so the buyer keeps the items.');
}

async function cancelWaiting(
  em: EntityManager,
  { id, licenseId }: OrderOfLicense,
  kind: 'delivery' | 'revocation',
  reason: string,
): Promise<void> {
  await em.execute(
    `update store_delivery set status = 'cancelled', next_attempt_at = null, finished_at = license_now(), detail = ?
     where license_id = ? and order_id = ? and kind = ? and status in ('waiting', 'waiting_for_player')`,
    [reason, licenseId, id, kind],
  );
}

/**
 * Delivers again, after a wipe, what was delivered on the instance before it and should survive wipes. Call it once the
 * wipe is complete, and again when a delivery from before it is reported late.
 */
export async function redeliverAfterWipe(
  em: EntityManager,
  wipe: { id: string; license_id: string; instance_id: string | null },
): Promise<void> {
  if (wipe.instance_id === null) return;
  // Waits for outcomes that are being recorded now: they commit first, or see the wipe as complete.
  await em.execute(
    `select id from store_delivery where license_id = ? and instance_id = ? and status = 'sent'
     order by id for no key update`,
    [wipe.license_id, wipe.instance_id],
  );
  await em.execute(
    `update store_delivery set status = 'cancelled', next_attempt_at = null, finished_at = license_now(),
       detail = 'Another wipe was completed before the delivery.'
     where license_id = ? and instance_id = ? and wipe_id <> ? and status in ('waiting', 'waiting_for_player')`,
    [wipe.license_id, wipe.instance_id, wipe.id],
  );
  await em.execute(
    `insert into store_delivery (${ofNewDelivery}, wipe_id, expires_at)
     select distinct first.license_id, first.order_id, first.line_id, first.instance_id, first.instance_name,
       first.steam_id, 'delivery', first.unit, wipe.id, license_now() + make_interval(days => line.delivery_days)
     from wipe_history as wipe
     join store_delivery as first on first.license_id = wipe.license_id and first.instance_id = wipe.instance_id
     join store_order_line as line on line.license_id = first.license_id and line.id = first.line_id
     join store_order as bought on bought.license_id = first.license_id and bought.id = first.order_id
     left join command on command.license_id = first.license_id and command.id = first.command_id
     where wipe.license_id = ? and wipe.id = ? and first.kind = 'delivery' and first.wipe_id is null
       and first.status = 'delivered' and line.repeats_after_wipe
       and least(first.finished_at, command.created_at) < wipe.begun_at
       and bought.status in ('paid', 'partially_refunded')
     on conflict do nothing`,
    [wipe.license_id, wipe.id],
  );
}
