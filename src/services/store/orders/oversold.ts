// Finds the items of an order that were sold beyond their limit.
import type { EntityManager } from '../../../database/connection.ts';
import { takesUnits } from '../catalogue/counted-orders.ts';

/** Whether the order currently counts towards the limits of its items. */
export async function holdsUnits(em: EntityManager, orderId: string): Promise<boolean> {
  const held = await em.execute(
    `select from store_order as bought where id = ? and ${takesUnits('bought')}`,
    [orderId],
  );
  return held.length > 0;
}

export interface OversoldItem {
  name: string;
  limit_total: number;
  sold: number;
}

/** Locks the items: of two orders paid concurrently, the second counts the units of the first. */
export async function oversoldItems(em: EntityManager, orderId: string): Promise<OversoldItem[]> {
  await em.execute(
    `select from store_item as item
     where item.id in (select item_id from store_order_line where order_id = ?)
     order by item.id for no key update of item`,
    [orderId],
  );
  return em.execute<OversoldItem[]>(
    `select item.name, item.limit_total, sum(line.quantity)::int as sold
     from store_item as item
     join store_order_line as line on line.license_id = item.license_id and line.item_id = item.id
     join store_order as bought on bought.license_id = line.license_id and bought.id = line.order_id
     where item.id in (select item_id from store_order_line where order_id = ?) and ${takesUnits('bought')}
     group by item.id having sum(line.quantity) > item.limit_total order by item.id`,
    [orderId],
  );
}
