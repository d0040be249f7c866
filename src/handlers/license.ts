// Operations of the area `license`.
import type { Schemas } from '../platform-contract/types.ts';
import type { OwnLicenseRow, RotatedToken } from '../services/license/index.ts';
import type { Handlers } from './handlers.ts';

export const license = {
  getOwnLicense: async (ctx) => viewLicense(await ctx.services.license.get(ctx)),
  updateOwnLicense: async (ctx, { body }) => viewLicense(await ctx.services.license.update(ctx, body)),
  rotateCompanionToken: async (ctx, { body }) =>
    viewToken(await ctx.services.license.replaceCompanionToken(ctx, body)),
  rotateLicenseKey: async (ctx) => viewLicense(await ctx.services.license.replaceKey(ctx)),
  exportLicenseData: async (ctx) => ctx.services.license.export(ctx),
} satisfies Partial<Handlers>;

function viewToken({ token, formerTokenExpiresAt }: RotatedToken): Schemas['CompanionToken'] {
  return {
    companion_token: token,
    former_token_expires_at: formerTokenExpiresAt?.toISOString() ?? null,
  };
}

function viewLicense(row: OwnLicenseRow): Schemas['OwnLicense'] {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    subdomain: row.subdomain,
    status: row.status,
    created_at: row.created_at,
    revoked_at: row.revoked_at,
    is_sandbox: row.is_sandbox,
  };
}
