// A license's alert thresholds; a license without a row uses the defaults.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export const AlertConfigSchema = defineEntity({
  name: 'AlertConfig',
  tableName: 'alert_config',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    rules: p.json<components['schemas']['AlertRules']>(),
    /** Incremented with each change. */
    version: p.integer().default(1),
  },
});
export class AlertConfig extends AlertConfigSchema.class {}
AlertConfigSchema.setClass(AlertConfig);
