// What a license shows in public; a license without a row shows nothing.
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
    /** Incremented with each change. */
    version: p.integer().default(1),
  },
});
export class SiteConfig extends SiteConfigSchema.class {}
SiteConfigSchema.setClass(SiteConfig);
