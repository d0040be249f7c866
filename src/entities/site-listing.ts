// The public listing of a game instance, if its license has configured one.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const SiteListingSchema = defineEntity({
  name: 'SiteListing',
  tableName: 'site_listing',
  ...tenantTable,
  properties: {
    instanceId: p.uuid().primary(),
    licenseId: tenantColumns.licenseId(),
    /** Null uses the license's setting. */
    isListed: p.boolean().nullable(),
    displayName: p.text().nullable(),
    description: p.text().nullable(),
    wipeCron: p.text().nullable(),
    wipeTimeZone: p.text().nullable(),
    /** Incremented with each change. */
    version: p.integer().default(1),
  },
});
export class SiteListing extends SiteListingSchema.class {}
SiteListingSchema.setClass(SiteListing);
