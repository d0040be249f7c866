// Operations of the area `admin-subscriptions`.
import type { Schemas } from '../platform-contract/types.ts';
import type {
  RevenueRow,
  RevenueShareRow,
  SubscriptionList,
  SubscriptionRow,
} from '../services/admin-subscriptions.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const adminSubscriptions = {
  listSubscriptions: async (ctx, { query }) =>
    viewSubscriptions(await ctx.services.adminSubscriptions.list(ctx, query)),
} satisfies Partial<Handlers>;

function viewSubscriptions({ page, revenue }: SubscriptionList): Schemas['SubscriptionPage'] {
  return {
    ...viewPage(page, viewSubscription),
    monthly_recurring_revenue: {
      total: revenue.total.map(viewMoney),
      by_kind: revenue.byKind.map((share) => ({ kind: share.kind, monthly: viewMoney(share) })),
      breakdown: revenue.breakdown.map(viewShare),
    },
  };
}

function viewSubscription(subscription: SubscriptionRow): Schemas['Subscription'] {
  return {
    id: subscription.id,
    license_id: subscription.license_id,
    license_name: subscription.license_name,
    kind: subscription.kind,
    reference: subscription.reference,
    status: subscription.status,
    price: viewMoney(subscription),
    period: subscription.period,
    started_at: subscription.started_at,
    ends_at: subscription.ends_at,
    cancelled_at: subscription.cancelled_at,
    created_at: subscription.created_at,
  };
}

function viewShare(share: RevenueShareRow): Schemas['RevenueItem'] {
  return {
    kind: share.kind,
    reference: share.reference,
    subscriptions: share.subscriptions,
    monthly: viewMoney(share),
  };
}

export function viewMoney({ amount, currency }: RevenueRow): Schemas['Money'] {
  return { amount, currency };
}
