// Operations of the area `modules`.
import type { Schemas } from '../contract-types.ts';
import { hundredthsInWords } from '../payments/money.ts';
import type { ModuleInstallationRow, ModulePurchaseRow, ModuleRow } from '../services/modules/index.ts';
import { viewOutcome } from './commands.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const modules = {
  listModules: async (ctx, { query }) => viewPage(await ctx.services.modules.list(ctx, query), viewModule),
  listOwnedModules: async (ctx, { query }) =>
    viewPage(await ctx.services.modules.listOwned(ctx, query), viewPurchase),
  createModulePurchase: async (ctx, { body }) => viewPurchase(await ctx.services.modules.purchase(ctx, body)),
  deployModule: async (ctx, { body }) => viewInstallation(await ctx.services.modules.install(ctx, body)),
  listModuleInstallations: async (ctx, { query }) =>
    viewPage(await ctx.services.modules.listInstallations(ctx, query), viewInstallation),
  getModuleInstallation: async (ctx, { path }) =>
    viewInstallation(await ctx.services.modules.getInstallation(ctx, path.module_installation_id)),
  deleteModuleInstallation: async (ctx, { path }) =>
    viewInstallation(await ctx.services.modules.uninstall(ctx, path.module_installation_id)),
} satisfies Partial<Handlers>;

function viewModule(module: ModuleRow): Schemas['Module'] {
  return {
    id: module.id,
    slug: module.slug,
    name: module.name,
    description: module.description,
    price: hundredthsInWords(module.price, module.currency),
    features: module.features,
    plugin: module.plugin,
    is_owned: module.is_owned,
  };
}

function viewPurchase(purchase: ModulePurchaseRow): Schemas['ModulePurchase'] {
  return {
    transaction_id: purchase.id,
    module: purchase.slug,
    name: purchase.name,
    amount: hundredthsInWords(purchase.amount, purchase.currency),
    purchased_by: purchase.purchased_by,
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
