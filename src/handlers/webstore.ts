// Operations of the area `webstore`.
import type { Schemas } from '../platform-contract/types.ts';
import { Settling, Versioned } from '../contract/replies.ts';
import type { StoreConfigRow } from '../services/store/settings/index.ts';
import type { SubscriptionRow } from '../services/store/settings/subscriptions.ts';
import type { Handlers } from './handlers.ts';

export const webstore = {
  getStoreSubscription: async (ctx) => viewSubscription(await ctx.services.storeSubscriptions.get(ctx)),
  createStoreSubscription: async (ctx) => {
    const subscription = await ctx.services.storeSubscriptions.create(ctx);
    return new Settling(viewSubscription(subscription), async () =>
      viewSubscription(await ctx.services.storeSubscriptions.openCheckout(ctx, subscription)),
    );
  },
  cancelStoreSubscription: async (ctx) => viewSubscription(await ctx.services.storeSubscriptions.cancel(ctx)),
  submitSubscriptionEvent: async (ctx, { headers, rawBody }) => ({
    outcome: await ctx.services.storeSubscriptions.take(headers['stripe-signature'] ?? '', rawBody),
  }),
  simulateSubscriptionEvent: async (ctx, { body }) =>
    viewSubscription(await ctx.services.storeSubscriptions.simulateStatus(ctx, body)),
  getStoreSettings: async (ctx) => viewConfig(await ctx.services.storeSettings.get(ctx)),
  replaceStoreSettings: async (ctx, { expectedVersions, body }) =>
    viewConfig(await ctx.services.storeSettings.replace(ctx, expectedVersions, body)),
  listPaymentProviders: async (ctx) => ({ data: await ctx.services.storeSettings.listProviders(ctx) }),
  connectStripe: async (ctx, { body }) => ctx.services.storeSettings.replaceAccount(ctx, body),
  disconnectStripe: async (ctx) => ctx.services.storeSettings.deleteAccount(ctx),
} satisfies Partial<Handlers>;

function viewConfig(config: StoreConfigRow): Versioned<Schemas['StoreSettings']> {
  const { name, currency, theme, terms, provider, is_enabled, is_open, public_url, version } = config;
  const view = {
    name,
    currency,
    theme,
    terms,
    provider,
    is_enabled: is_enabled ?? false,
    is_open,
    public_url,
  };
  return new Versioned({ ...view, version: version ?? 0 }, version ?? 0);
}

function viewSubscription(subscription: SubscriptionRow): Schemas['StoreSubscription'] {
  const provider = subscription.provider ?? 'stripe';
  return {
    id: subscription.id,
    status: subscription.status,
    opens_store: subscription.opens_store,
    provider,
    is_test: provider === 'sandbox',
    price: { amount: subscription.amount, currency: subscription.currency as Schemas['StoreCurrency'] },
    period: subscription.period,
    checkout_url: subscription.confirmed_at === null ? subscription.checkout_url : null,
    started_at: subscription.started_at,
    ends_at: subscription.ends_at,
    cancelled_at: subscription.cancelled_at,
    created_at: subscription.created_at,
  };
}
