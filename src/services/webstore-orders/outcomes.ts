// Notes what became of deliveries once their commands have ended: arrived, refused, or to be tried again.
import type { EntityManager } from '../../database/connection.ts';
import { takeBack } from './making.ts';

/** Ends of commands after which another attempt is no use; a person may see to it and repeat the delivery. */
const final = ['game_refused', 'not_supported', 'invalid'];
/** An attempt that failed is followed by another after 5, 10, 20 … seconds, this many at most. */
const mostPauseSeconds = 300;
/** How long a player who was not there is not asked after. */
export const playerPauseSeconds = 15;

interface Settled {
  order_id: string;
  license_id: string;
}

export async function settleDeliveries(em: EntityManager, commandIds: string[]): Promise<void> {
  const reversed = await em.execute<Settled[]>(
    `with ended as (
       select delivery.id, command.detail, command.error_code, command.status = 'succeeded' as has_arrived,
         case
           when command.status = 'succeeded' then 'delivered'
           when command.error_code = 'delivery_uncertain' then 'uncertain'
           when command.status = 'failed' and command.error_code = any(?::text[]) then 'failed'
           when command.error_code = 'player_not_found' then 'waiting_for_player'
           else 'waiting' end as status
       from store_delivery as delivery
       join command on command.license_id = delivery.license_id and command.id = delivery.command_id
       where command.id = any(?::uuid[]) and command.status in ('succeeded', 'failed', 'expired')
         and delivery.status = 'sent'
       for no key update of delivery
     ), settled as (
       update store_delivery as delivery set
         status = ended.status, detail = ended.detail,
         error_code = case when ended.has_arrived then null else coalesce(ended.error_code, 'expired') end,
         next_attempt_at = case ended.status
           when 'waiting' then now() + make_interval(secs => least(?, 5 * power(2, least(delivery.attempt_count, 10) - 1)))
           when 'waiting_for_player' then now() + make_interval(secs => ?) end,
         finished_at = case when ended.status in ('waiting', 'waiting_for_player') then null else now() end
       from ended where delivery.id = ended.id returning delivery.order_id, delivery.license_id
     )
     select distinct settled.order_id, settled.license_id from settled
     join store_order as bought on bought.license_id = settled.license_id and bought.id = settled.order_id
     where bought.status in ('refunded', 'disputed')`,
    [`{${final.join(',')}}`, `{${commandIds.join(',')}}`, mostPauseSeconds, playerPauseSeconds],
  );
  // It was on its way when the money went back.
  for (const { order_id: id, license_id: licenseId } of reversed) await takeBack(em, { id, licenseId });
}
