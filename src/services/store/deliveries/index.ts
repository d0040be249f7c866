// Deliveries to players, as the license reads and resends them.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../../context.ts';
import type { Query } from '../../../platform-contract/types.ts';
import { licenseNow } from '../../../database/license-clock.ts';
import type { Queries } from '../../../database/reader.ts';
import { StoreDelivery, StoreOrder, StoreOrderLine } from '../../../entities/index.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { refuseBeyond } from '../../../preconditions/limits.ts';
import { byId, pageOf } from '../../../lists/page.ts';
import { isReversed } from '../orders/state.ts';

/** Maximum resends of one delivery. */
export const maxResends = 20;
const dayMs = 24 * 60 * 60_000;
/** Why a delivery of this kind is not resent. */
const disagreements = {
  delivery: 'The payment was refunded or charged back.',
  revocation: 'The payment is still valid, so the buyer keeps the items.',
};

export type DeliveryRow = Awaited<ReturnType<typeof deliveryOf>>;

export class StoreDeliveries {
  async list(ctx: Ctx, query: Query<'listStoreDeliveries'>) {
    return ctx.read((queries) => {
      let found = deliveries(queries);
      if (query.status !== undefined) found = found.where('delivery.status', '=', query.status);
      if (query.transaction_id !== undefined)
        found = found.where('delivery.order_id', '=', query.transaction_id);
      if (query.instance_id !== undefined)
        found = found.where('delivery.instance_id', '=', query.instance_id);
      return pageOf(found, query, byId('delivery.id', 'desc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<DeliveryRow> {
    return ctx.read((queries) => deliveryOf(queries, id));
  }

  /**
   * Creates a new delivery, because the agent carries out each delivery once. The audit log records who requested it.
   */
  async resend(ctx: Ctx, id: string): Promise<DeliveryRow> {
    return ctx.transact(async (em, queries) => {
      const named = await em.findOne(StoreDelivery, id);
      const first = named?.resendOf ? await em.findOne(StoreDelivery, named.resendOf) : named;
      if (first === null) throw notFound('delivery');
      const bought = await em.findOneOrFail(StoreOrder, first.orderId, {
        lockMode: LockMode.PESSIMISTIC_READ,
      });
      if (first.kind === 'delivery' ? isReversed(bought.status) : !isReversed(bought.status))
        throw new DomainError('payment_disagrees', disagreements[first.kind]);
      await refuseBeyond(em, {
        subject: `resends of ${first.id}`,
        max: maxResends,
        count: () => em.count(StoreDelivery, { resendOf: first.id }),
        detail: `A delivery can be resent at most ${maxResends} times.`,
      });
      const waiting = await em.count(StoreDelivery, {
        $or: [{ id: first.id }, { resendOf: first.id }],
        finishedAt: null,
      });
      if (waiting > 0)
        throw new DomainError(
          'delivery_under_way',
          'The delivery is still in progress; wait until it has ended.',
        );
      if (!first.instanceId) throw new DomainError('not_found', 'The instance of the delivery was deleted.');
      const { deliveryDays } = await em.findOneOrFail(StoreOrderLine, first.lineId);
      const again = em.create(StoreDelivery, {
        orderId: first.orderId,
        lineId: first.lineId,
        instanceId: first.instanceId,
        instanceName: first.instanceName,
        steamId: first.steamId,
        kind: first.kind,
        unit: first.unit,
        resendOf: first.id,
        requestedBy: ctx.actor?.label ?? null,
        expiresAt: new Date((await licenseNow(queries)).getTime() + deliveryDays * dayMs),
      });
      await em.flush();
      return deliveryOf(queries, again.id);
    });
  }
}

function deliveries(queries: Queries) {
  return queries
    .selectFrom('store_delivery as delivery')
    .innerJoin('store_order_line as line', 'line.id', 'delivery.line_id')
    .select([
      'delivery.id',
      'delivery.order_id',
      'delivery.instance_id',
      'delivery.instance_name',
      'line.item_name',
      'delivery.steam_id',
      'delivery.kind',
      'delivery.unit',
      'delivery.status',
      'delivery.attempt_count',
      'delivery.next_attempt_at',
      'delivery.command_id',
      'delivery.detail',
      'delivery.error_code',
      'delivery.wipe_id',
      'delivery.resend_of',
      'delivery.requested_by',
      'delivery.created_at',
      'delivery.expires_at',
      'delivery.finished_at',
    ]);
}

async function deliveryOf(queries: Queries, id: string) {
  const delivery = await deliveries(queries).where('delivery.id', '=', id).executeTakeFirst();
  if (delivery === undefined) throw notFound('delivery');
  return delivery;
}
