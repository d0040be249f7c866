// Operations of the area `modules`.
import type { Schemas } from '../platform-contract/types.ts';
import { hundredthsInWords } from '../payments/money.ts';
import type { ModuleInstallationRow, ModulePurchaseRow, ModuleRow } from '../services/modules/index.ts';
import type { ModuleSubscriptionRow } from '../services/modules/subscriptions.ts';
import { viewOutcome } from './commands.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const modules = {
  listModules: async (ctx, { query }) => viewPage(await ctx.services.modules.list(ctx, query), viewModule),
  listOwnedModules: async (ctx, { query }) =>
    viewPage(await ctx.services.modules.listOwned(ctx, query), viewPurchase),
  listModulePurchases: async (ctx, { query }) =>
    viewPage(await ctx.services.modules.listPurchases(ctx, query), viewPurchase),
  listModuleSubscriptions: async (ctx, { query }) =>
    viewPage(await ctx.services.modules.subscriptions.list(ctx, query), viewSubscription),
  getModuleSubscription: async (ctx, { path }) =>
    viewSubscription(await ctx.services.modules.subscriptions.get(ctx, path.module_subscription_id)),
  cancelModuleSubscription: async (ctx, { path }) =>
    viewSubscription(await ctx.services.modules.subscriptions.cancel(ctx, path.module_subscription_id)),
  reactivateModuleSubscription: async (ctx, { path }) =>
    viewSubscription(await ctx.services.modules.subscriptions.reactivate(ctx, path.module_subscription_id)),
  purchaseModule: async (ctx, { body }) => viewPurchase(await ctx.services.modules.purchase(ctx, body)),
  installModule: async (ctx, { body }) => viewInstallation(await ctx.services.modules.install(ctx, body)),
  listModuleInstallations: async (ctx, { query }) =>
    viewPage(await ctx.services.modules.listInstallations(ctx, query), viewInstallation),
  getModuleInstallation: async (ctx, { path }) =>
    viewInstallation(await ctx.services.modules.getInstallation(ctx, path.module_installation_id)),
  uninstallModule: async (ctx, { path }) =>
    viewInstallation(await ctx.services.modules.uninstall(ctx, path.module_installation_id)),
} satisfies Partial<Handlers>;

function viewModule(module: ModuleRow): Schemas['Module'] {
  return {
    id: module.id,
    slug: module.slug,
    name: module.name,
    description: module.description,
    price: hundredthsInWords(module.price, module.currency),
    ...viewTerms(module),
    features: module.features,
    plugin: module.plugin,
    is_owned: module.is_owned,
  };
}

/** The payment terms of a module. */
export const viewTerms = ({
  currency,
  billing_period,
  yearly_price,
  trial_days,
}: Pick<ModuleRow, 'currency' | 'billing_period' | 'yearly_price' | 'trial_days'>) => ({
  billing_period,
  yearly_amount: yearly_price === null ? null : hundredthsInWords(yearly_price, currency).amount,
  trial_days,
});

function viewPeriod({ period_start, period_end }: ModulePurchaseRow): Schemas['ModulePurchase']['period'] {
  return period_start === null || period_end === null ? null : { from: period_start, to: period_end };
}

function viewSubscription(subscription: ModuleSubscriptionRow): Schemas['ModuleSubscription'] {
  return {
    id: subscription.id,
    module: subscription.slug,
    name: subscription.name,
    status: subscription.status,
    price: { amount: subscription.amount, currency: subscription.currency },
    period: subscription.period,
    current_period: { from: subscription.period_start, to: subscription.period_end },
    renews_at: subscription.renews ? subscription.period_end : null,
    ends_at: subscription.ends_at,
    cancelled_at: subscription.cancelled_at,
    subscribed_by: subscription.subscribed_by,
    started_at: subscription.started_at,
    created_at: subscription.created_at,
  };
}

function viewPurchase(purchase: ModulePurchaseRow): Schemas['ModulePurchase'] {
  return {
    transaction_id: purchase.id,
    module: purchase.slug,
    name: purchase.name,
    amount: hundredthsInWords(purchase.amount, purchase.currency),
    purchased_by: purchase.purchased_by,
    subscription_id: purchase.subscription_id,
    period: viewPeriod(purchase),
    created_at: purchase.created_at,
  };
}

function viewInstallation(installation: ModuleInstallationRow): Schemas['ModuleInstallation'] {
  return {
    id: installation.id,
    module: installation.slug,
    instance_id: installation.instance_id,
    plugin: installation.plugin,
    status: installation.status,
    ...viewOutcome(installation),
    command_id: installation.command_id,
    requested_by: installation.requested_by,
    created_at: installation.created_at,
    finished_at: installation.finished_at,
  };
}
