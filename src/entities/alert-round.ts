// When a license was last evaluated for alerts.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const AlertRoundSchema = defineEntity({
  name: 'AlertRound',
  tableName: 'alert_round',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    begunAt: p.datetime(),
  },
});
export class AlertRound extends AlertRoundSchema.class {}
AlertRoundSchema.setClass(AlertRound);
