// Operations of the area `admin-licenses`.
import type { Schemas } from '../platform-contract/types.ts';
import type { LicenseRow } from '../services/admin-licenses.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const adminLicenses = {
  listLicenses: async (ctx, { query }) =>
    viewPage(await ctx.services.adminLicenses.list(ctx, query), viewLicense),
  createLicense: async (ctx, { body }) =>
    viewCreatedLicense(await ctx.services.adminLicenses.create(ctx, body)),
  getLicense: async (ctx, { path }) =>
    viewLicense(await ctx.services.adminLicenses.get(ctx, path.license_id)),
  updateLicense: async (ctx, { path, body }) =>
    viewLicense(await ctx.services.adminLicenses.update(ctx, path.license_id, body)),
} satisfies Partial<Handlers>;

function viewLicense(license: LicenseRow): Schemas['License'] {
  return {
    id: license.id,
    key: license.key,
    name: license.name,
    subdomain: license.subdomain,
    status: license.status,
    owner_email: license.owner_email,
    created_at: license.created_at,
    revoked_at: license.revoked_at,
    is_sandbox: license.is_sandbox,
  };
}

function viewCreatedLicense({
  license,
  companionToken,
}: {
  license: LicenseRow;
  companionToken: string;
}): Schemas['CreatedLicense'] {
  return { ...viewLicense(license), companion_token: companionToken };
}
