// Records the outcome of deliveries when their commands end: delivered, refused, or to be retried.
import type { Schemas } from '../../../platform-contract/types.ts';
import type { EntityManager } from '../../../database/connection.ts';
import { redeliverAfterWipe, cancelRevocations, reverseDeliveries } from './creation.ts';
import { isOwned, isReversed } from '../orders/state.ts';

/** Error codes after which a retry is useless; a person may fix the cause and resend the delivery. */
const final = ['game_refused', 'not_supported', 'invalid'];
/** Failed attempts are retried after 5, 10, 20 … seconds, up to this maximum. */
const maxPauseSeconds = 300;
/** How long to wait before asking again for a player who was offline. */
export const playerPauseSeconds = 15;

interface OrderRow {
  id: string;
  license_id: string;
  status: Schemas['StoreOrderStatus'];
}

interface WipeRow {
  id: string;
  license_id: string;
  instance_id: string;
}

/** Joins a delivery to any command that carried it, not only the latest. */
const ofCommand = `delivery.license_id = command.license_id and delivery.id = (command.args ->> 'delivery_id')::uuid
  and command.kind = 'deliver'`;

export async function settleDeliveries(em: EntityManager, commandIds: string[]): Promise<void> {
  const ids = `{${commandIds.join(',')}}`;
  // Locks the orders before anything is recorded: a concurrent refund then sees what was delivered, or this sees the
  // refund.
  const orders = await em.execute<OrderRow[]>(
    `select id, license_id, status from store_order
     where (license_id, id) in (select delivery.license_id, delivery.order_id from command
       join store_delivery as delivery on ${ofCommand} where command.id = any(?::uuid[]))
     order by id for share`,
    [ids],
  );
  if (orders.length === 0) return;
  await em.execute(
    `with ended as (
       select delivery.id, command.detail, command.error_code, command.status = 'succeeded' as has_arrived,
         case
           when command.status = 'succeeded' then 'delivered'
           when command.error_code = 'delivery_uncertain' then 'uncertain'
           when command.status = 'failed' and command.error_code = any(?::text[]) then 'failed'
           when command.error_code = 'player_not_found' then 'waiting_for_player'
           else 'waiting' end as status
       from command join store_delivery as delivery on ${ofCommand}
       where command.id = any(?::uuid[]) and command.status in ('succeeded', 'failed', 'expired')
         and (delivery.status = 'sent' and delivery.command_id = command.id
           -- It may have been given up meanwhile, and was typed all the same.
           or delivery.status <> 'delivered' and (command.status = 'succeeded'
             or command.status = 'failed' and command.error_code in ('game_refused', 'delivery_uncertain')))
       for no key update of delivery
     )
     update store_delivery as delivery set
       status = ended.status, detail = ended.detail,
       error_code = case when ended.has_arrived then null else coalesce(ended.error_code, 'expired') end,
       next_attempt_at = case ended.status
         when 'waiting' then now() + make_interval(secs => least(?, 5 * power(2, least(delivery.attempt_count, 10) - 1)))
         when 'waiting_for_player' then now() + make_interval(secs => ?) end,
       finished_at = case when ended.status in ('waiting', 'waiting_for_player') then null else clock_timestamp() end
     from ended where delivery.id = ended.id`,
    [`{${final.join(',')}}`, ids, maxPauseSeconds, playerPauseSeconds],
  );
  for (const { id, license_id: licenseId, status } of orders) {
    if (isReversed(status)) await reverseDeliveries(em, { id, licenseId });
    if (isOwned(status)) await cancelRevocations(em, { id, licenseId });
  }
  for (const wipe of await wipesSince(em, ids)) await redeliverAfterWipe(em, wipe);
}

/** The last complete wipe of each instance that began after the command of a delivery which is reported only now. */
function wipesSince(em: EntityManager, ids: string): Promise<WipeRow[]> {
  return em.execute<WipeRow[]>(
    `select distinct on (wipe.instance_id) wipe.id, wipe.license_id, wipe.instance_id
     from command join store_delivery as delivery on ${ofCommand}
     join wipe_history as wipe on wipe.license_id = delivery.license_id and wipe.instance_id = delivery.instance_id
     where command.id = any(?::uuid[]) and delivery.status = 'delivered' and delivery.kind = 'delivery'
       and delivery.wipe_id is null and wipe.status = 'completed' and wipe.begun_at > command.created_at
     order by wipe.instance_id, wipe.begun_at desc`,
    [ids],
  );
}
