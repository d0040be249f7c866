// A license that a reseller has provisioned, with the reseller's own reference for the server.
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
    /** The initial key and companion token, kept as long as a repeated request returns them. */
    encryptedSecrets: p.blob().fieldName('sealed_secrets').nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** When its license was deleted; its bills remain. */
    deletedAt: p.datetime().nullable(),
  },
});
export class ResellerLicense extends ResellerLicenseSchema.class {}
ResellerLicenseSchema.setClass(ResellerLicense);
