// The stats of one instance in the heartbeats of one hour, packed; partitioned by month.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const InstanceStatsPackedSchema = defineEntity({
  name: 'InstanceStatsPacked',
  tableName: 'instance_stats_packed',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    instanceId: p.uuid().primary(),
    /** Start of the hour. */
    hourAt: p.datetime().primary(),
    /** The points as `packPoints` encodes them. */
    points: p.blob(),
  },
});
export class InstanceStatsPacked extends InstanceStatsPackedSchema.class {}
InstanceStatsPackedSchema.setClass(InstanceStatsPacked);
