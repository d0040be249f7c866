// An hour of an instance whose stats are to be packed.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const InstanceStatsDueSchema = defineEntity({
  name: 'InstanceStatsDue',
  tableName: 'instance_stats_due',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    instanceId: p.uuid().primary(),
    hourAt: p.datetime().primary(),
    dueAt: p.datetime(),
  },
});
export class InstanceStatsDue extends InstanceStatsDueSchema.class {}
InstanceStatsDueSchema.setClass(InstanceStatsDue);
