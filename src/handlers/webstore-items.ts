// Operations of the area `webstore-items`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import { moneyOf } from '../payments/money.ts';
import type { CategoryRow } from '../services/store/catalogue/categories.ts';
import type { ItemRow } from '../services/store/catalogue/index.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const webstoreItems = {
  listStoreCategories: async (ctx, { query }) =>
    viewPage(await ctx.services.storeCategories.list(ctx, query), viewCategory),
  createStoreCategory: async (ctx, { body }) =>
    versioned(await ctx.services.storeCategories.create(ctx, body), viewCategory),
  getStoreCategory: async (ctx, { path }) =>
    versioned(await ctx.services.storeCategories.get(ctx, path.category_id), viewCategory),
  replaceStoreCategory: async (ctx, { path, expectedVersions, body }) =>
    versioned(
      await ctx.services.storeCategories.replace(ctx, path.category_id, expectedVersions, body),
      viewCategory,
    ),
  deleteStoreCategory: async (ctx, { path, expectedVersions }) =>
    ctx.services.storeCategories.delete(ctx, path.category_id, expectedVersions),
  listStoreItems: async (ctx, { query }) =>
    viewPage(await ctx.services.storeItems.list(ctx, query), viewItem),
  createStoreItem: async (ctx, { body }) =>
    versioned(await ctx.services.storeItems.create(ctx, body), viewItem),
  getStoreItem: async (ctx, { path }) =>
    versioned(await ctx.services.storeItems.get(ctx, path.item_id), viewItem),
  replaceStoreItem: async (ctx, { path, expectedVersions, body }) =>
    versioned(await ctx.services.storeItems.replace(ctx, path.item_id, expectedVersions, body), viewItem),
  deleteStoreItem: async (ctx, { path, expectedVersions }) =>
    ctx.services.storeItems.delete(ctx, path.item_id, expectedVersions),
} satisfies Partial<Handlers>;

const versioned = <Row extends { version: number }, View>(row: Row, view: (row: Row) => View) =>
  new Versioned(view(row), row.version);

function viewCategory(category: CategoryRow): Schemas['StoreCategory'] {
  return {
    id: category.id,
    name: category.name,
    description: category.description,
    position: category.position,
    item_count: category.item_count ?? 0,
    version: category.version,
    created_at: category.created_at,
  };
}

function viewItem(item: ItemRow): Schemas['StoreItem'] {
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    image_url: item.image_url,
    category_id: item.category_id,
    position: item.position,
    price: moneyOf(item.price_minor, item.currency),
    is_enabled: item.is_enabled,
    limit_per_player: item.limit_per_player,
    limit_total: item.limit_total,
    required_item_ids: item.required_item_ids,
    instance_ids: item.instance_ids,
    delivery_commands: item.delivery_commands,
    revoke_commands: item.revoke_commands,
    needs_online_player: item.needs_online_player,
    repeats_after_wipe: item.repeats_after_wipe,
    delivery_days: item.delivery_days,
    sold_count: item.sold_count,
    version: item.version,
    created_at: item.created_at,
  };
}
