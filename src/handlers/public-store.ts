// Operations of the area `public-store`.
import type { Schemas } from '../platform-contract/types.ts';
import { Settling } from '../contract/replies.ts';
import { moneyOf } from '../payments/money.ts';
import type { PurchaseRow } from '../services/store/checkout/index.ts';
import type { CategoryRow, ShownItemRow, ShownStore } from '../services/store/checkout/public-stores.ts';
import type { Handlers } from './handlers.ts';

export const publicStore = {
  getPublicStore: async (ctx, { path }) => ctx.services.publicStores.get(path.subdomain, viewStore),
  listPublicStoreItems: async (ctx, { path }) =>
    ctx.services.publicStores.listItems(path.subdomain, viewItems),
  placeOrder: async (ctx, { path, body }) => {
    const purchase = await ctx.services.purchases.create(ctx, path.subdomain, body);
    return new Settling(viewPurchase(purchase), async () =>
      viewPurchase(await ctx.services.purchases.openCheckout(purchase)),
    );
  },
  getOrder: async (ctx, { path }) =>
    viewPurchase(await ctx.services.purchases.get(path.subdomain, path.order_id)),
  simulatePayment: async (ctx, { path, body }) =>
    viewPurchase(await ctx.services.purchases.simulatePayment(path.subdomain, path.order_id, body)),
  submitPaymentEvent: async (ctx, { path, headers, rawBody }) => ({
    outcome: await ctx.services.purchases.takeCallback(path.subdomain, {
      body: rawBody ?? new Uint8Array(),
      signature: headers['stripe-signature'] ?? '',
    }),
  }),
} satisfies Partial<Handlers>;

export function viewStore(store: ShownStore): Schemas['PublicStore'] {
  return {
    subdomain: store.subdomain,
    name: store.name,
    currency: store.currency,
    theme: store.theme,
    terms: store.terms,
    is_test: store.is_test,
    categories: store.categories.map(viewCategory),
  };
}

const viewCategory = ({ id, name, description }: CategoryRow): Schemas['PublicStoreCategory'] => ({
  id,
  name,
  description,
});

const viewItems = (items: ShownItemRow[]): Schemas['PublicStoreItemList'] => ({ data: items.map(viewItem) });

function viewItem(item: ShownItemRow): Schemas['PublicStoreItem'] {
  const { limit_total: limit, sold, held } = item;
  const available = limit === null ? null : Math.max(limit - sold - held, 0);
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    image_url: item.image_url,
    category_id: item.category_id,
    price: moneyOf(item.price_minor, item.currency),
    limit_per_player: item.limit_per_player,
    required_item_ids: item.required_item_ids,
    needs_online_player: item.needs_online_player,
    is_sold_out: available === 0,
    available_count: available,
    held_count: limit === null ? null : held,
  };
}

export function viewPurchase(purchase: PurchaseRow): Schemas['PublicOrder'] {
  const { currency } = purchase;
  const status = purchase.status ?? 'pending';
  return {
    id: purchase.id,
    status,
    provider: purchase.provider,
    is_test: purchase.is_test,
    total: moneyOf(purchase.total_minor, currency),
    lines: purchase.lines.map((line) => ({
      item_name: line.item_name,
      quantity: line.quantity,
      unit_price: moneyOf(line.unit_minor, currency),
      delivered_count: line.delivered,
      undelivered_count: line.undelivered,
      delivery_count: line.deliveries,
    })),
    checkout_url: status === 'pending' ? purchase.checkout_url : null,
    expires_at: purchase.expires_at,
  };
}
