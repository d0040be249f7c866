// A license that a reseller has provisioned, by the reseller's own name for the server.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const ResellerLicenseSchema = defineEntity({
  name: 'ResellerLicense',
  tableName: 'reseller_license',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    resellerId: p.uuid(),
    serverId: p.text(),
    hostname: p.text(),
    customerEmail: p.text(),
    /** The key and the companion token that it began with, for as long as they are answered again. */
    sealedSecrets: p.blob().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** When its license was deleted; its bills stay. */
    deletedAt: p.datetime().nullable(),
  },
});
export class ResellerLicense extends ResellerLicenseSchema.class {}
ResellerLicenseSchema.setClass(ResellerLicense);
