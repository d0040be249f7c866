// Makes the deliveries that follow from payments, refunds and wipes; what is made twice exists once.
import type { EntityManager } from '../../database/connection.ts';

interface OrderOfLicense {
  id: string;
  licenseId: string;
}

/** How long a revocation waits for its server. */
const revocationDays = 30;

/** One for each unit and each instance that there still is. */
export async function makeDeliveries(em: EntityManager, { id, licenseId }: OrderOfLicense): Promise<void> {
  await em.execute(
    `insert into store_delivery
       (license_id, order_id, line_id, instance_id, instance_name, steam_id, kind, unit, expires_at)
     select line.license_id, line.order_id, line.id, instance.id, instance.name, bought.steam_id, 'delivery', unit,
       now() + make_interval(days => line.delivery_days)
     from store_order as bought
     join store_order_line as line on line.license_id = bought.license_id and line.order_id = bought.id
     cross join jsonb_array_elements_text(line.instance_ids) as target
     join game_instance as instance on instance.license_id = line.license_id and instance.id = target.value::uuid
     cross join generate_series(1, line.quantity) as unit
     where bought.license_id = ? and bought.id = ?
     on conflict do nothing`,
    [licenseId, id],
  );
}

/** What has not arrived never does; what has is taken back where the item says how. */
export async function takeBack(em: EntityManager, { id, licenseId }: OrderOfLicense): Promise<void> {
  await em.execute(
    `update store_delivery set status = 'cancelled', next_attempt_at = null, finished_at = now(),
       detail = 'Its payment was refunded or charged back.'
     where license_id = ? and order_id = ? and kind = 'delivery' and status in ('waiting', 'waiting_for_player')`,
    [licenseId, id],
  );
  await em.execute(
    `insert into store_delivery
       (license_id, order_id, line_id, instance_id, instance_name, steam_id, kind, unit, expires_at)
     select distinct arrived.license_id, arrived.order_id, arrived.line_id, arrived.instance_id,
       arrived.instance_name, arrived.steam_id, 'revocation', arrived.unit, now() + make_interval(days => ?)
     from store_delivery as arrived
     join store_order_line as line on line.license_id = arrived.license_id and line.id = arrived.line_id
     where arrived.license_id = ? and arrived.order_id = ? and arrived.kind = 'delivery'
       and arrived.status in ('delivered', 'uncertain') and arrived.instance_id is not null
       and jsonb_array_length(line.revoke_commands) > 0
     on conflict do nothing`,
    [revocationDays, licenseId, id],
  );
}

/** After a wipe, what had arrived on the instance and is to be there after wipes too. Call it once the wipe is complete. */
export async function giveAgain(
  em: EntityManager,
  wipe: { id: string; license_id: string; instance_id: string | null },
): Promise<void> {
  if (wipe.instance_id === null) return;
  await em.execute(
    `insert into store_delivery
       (license_id, order_id, line_id, instance_id, instance_name, steam_id, kind, unit, wipe_id, expires_at)
     select distinct first.license_id, first.order_id, first.line_id, first.instance_id, first.instance_name,
       first.steam_id, 'delivery', first.unit, ?::uuid, now() + make_interval(days => line.delivery_days)
     from store_delivery as first
     join store_order_line as line on line.license_id = first.license_id and line.id = first.line_id
     join store_order as bought on bought.license_id = first.license_id and bought.id = first.order_id
     where first.license_id = ? and first.instance_id = ? and first.kind = 'delivery' and first.wipe_id is null
       and first.status = 'delivered' and line.repeats_after_wipe
       and bought.status in ('paid', 'partially_refunded')
     on conflict do nothing`,
    [wipe.id, wipe.license_id, wipe.instance_id],
  );
}
