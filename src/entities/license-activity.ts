// When a license became active or inactive; written by the database, and never changed.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const LicenseActivitySchema = defineEntity({
  name: 'LicenseActivity',
  tableName: 'license_activity',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    isActive: p.boolean(),
    changedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});
export class LicenseActivity extends LicenseActivitySchema.class {}
LicenseActivitySchema.setClass(LicenseActivity);
