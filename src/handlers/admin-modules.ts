// Operations of the area `admin-modules`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { CatalogueRow } from '../services/admin-modules.ts';
import { hundredthsInWords } from '../payments/money.ts';
import { viewPage, type HandlerContext, type Handlers } from './handlers.ts';
import { viewTerms } from './modules.ts';

export const adminModules = {
  listCatalogModules: async (ctx, { query }) =>
    viewPage(await ctx.services.adminModules.list(ctx, query), (module) => viewModule(ctx, module)),
  createCatalogModule: async (ctx, { body }) =>
    versioned(ctx, await ctx.services.adminModules.create(ctx, body)),
  getCatalogModule: async (ctx, { path }) =>
    versioned(ctx, await ctx.services.adminModules.get(ctx, path.module_id)),
  updateCatalogModule: async (ctx, { path, body, expectedVersions }) =>
    versioned(ctx, await ctx.services.adminModules.update(ctx, path.module_id, body, expectedVersions)),
} satisfies Partial<Handlers>;

const versioned = (ctx: HandlerContext, module: CatalogueRow) =>
  new Versioned(viewModule(ctx, module), module.version);

function viewModule({ services }: HandlerContext, module: CatalogueRow): Schemas['CatalogModule'] {
  return {
    id: module.id,
    slug: module.slug,
    name: module.name,
    description: module.description,
    price: hundredthsInWords(module.price, module.currency),
    ...viewTerms(module),
    features: module.features,
    plugin: module.plugin,
    download: {
      url: services.adminModules.urlOf(module),
      sha256: module.plugin_sha256,
      bytes: module.plugin_bytes,
    },
    is_listed: module.is_listed,
    purchase_count: module.purchase_count ?? 0,
    created_at: module.created_at,
  };
}
