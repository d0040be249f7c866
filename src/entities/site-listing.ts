// How a game instance is shown in public, where its license has said anything about that.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const SiteListingSchema = defineEntity({
  name: 'SiteListing',
  tableName: 'site_listing',
  ...tenantTable,
  properties: {
    instanceId: p.uuid().primary(),
    licenseId: tenantColumns.licenseId(),
    /** Null leaves it to the license. */
    isListed: p.boolean().nullable(),
    displayName: p.text().nullable(),
    description: p.text().nullable(),
    wipeCron: p.text().nullable(),
    wipeTimeZone: p.text().nullable(),
    /** Counts its changes. */
    version: p.integer().default(1),
  },
});
export class SiteListing extends SiteListingSchema.class {}
SiteListingSchema.setClass(SiteListing);
