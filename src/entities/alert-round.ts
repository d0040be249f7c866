// When it was last looked whether there is something to alert a license of.
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
