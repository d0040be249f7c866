// Operations of the area `admin-resellers`.
import type { Schemas } from '../contract-types.ts';
import type { KeyedReseller, ResellerRow } from '../services/admin-resellers.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const adminResellers = {
  listResellers: async (ctx, { query }) =>
    viewPage(await ctx.services.adminResellers.list(ctx, query), viewReseller),
  createReseller: async (ctx, { body }) => viewKeyed(await ctx.services.adminResellers.create(ctx, body)),
  getReseller: async (ctx, { path }) =>
    viewReseller(await ctx.services.adminResellers.get(ctx, path.reseller_id)),
  updateReseller: async (ctx, { path, body }) =>
    viewReseller(await ctx.services.adminResellers.update(ctx, path.reseller_id, body)),
  replaceResellerKey: async (ctx, { path }) =>
    viewKeyed(await ctx.services.adminResellers.replaceKey(ctx, path.reseller_id)),
} satisfies Partial<Handlers>;

function viewReseller(reseller: ResellerRow): Schemas['Reseller'] {
  return {
    id: reseller.id,
    name: reseller.name,
    status: reseller.status,
    key_identifier: reseller.key_identifier,
    wholesale_rate: reseller.wholesale_rate,
    next_wholesale_rate: reseller.next_wholesale_rate,
    license_count: reseller.license_count ?? 0,
    created_at: reseller.created_at,
  };
}

const viewKeyed = ({ row, key }: KeyedReseller): Schemas['CreatedReseller'] => ({
  ...viewReseller(row),
  key,
});
