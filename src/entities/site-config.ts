// What a license shows of itself in public; one without it shows nothing.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const SiteConfigSchema = defineEntity({
  name: 'SiteConfig',
  tableName: 'site_config',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    isPublic: p.boolean().default(false),
    isListedByDefault: p.boolean().default(false),
    statusPageDescription: p.text().nullable(),
    /** Counts its changes. */
    version: p.integer().default(1),
  },
});
export class SiteConfig extends SiteConfigSchema.class {}
SiteConfigSchema.setClass(SiteConfig);
