// Operations of the area `license`.
import type { Schemas } from '../contract-types.ts';
import type { OwnLicenseRow } from '../services/license.ts';
import type { Handlers } from './handlers.ts';

export const license = {
  getOwnLicense: async (ctx) => viewLicense(await ctx.services.license.get(ctx)),
  updateOwnLicense: async (ctx, { body }) => viewLicense(await ctx.services.license.update(ctx, body)),
  replaceCompanionToken: async (ctx) => ({
    companion_token: await ctx.services.license.replaceCompanionToken(ctx),
  }),
  replaceLicenseKey: async (ctx) => viewLicense(await ctx.services.license.replaceKey(ctx)),
  exportLicense: async (ctx) => ctx.services.license.export(ctx),
} satisfies Partial<Handlers>;

function viewLicense(row: OwnLicenseRow): Schemas['OwnLicense'] {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    subdomain: row.subdomain,
    status: row.status,
    created_at: row.created_at,
    revoked_at: row.revoked_at,
  };
}
