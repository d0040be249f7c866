// Roll-ups of instance stats by five minutes, hour and day, per map; stored as sums, so that they can be added.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

/** Stands in for the map in heartbeats that name no map. */
export const noMap = '00000000-0000-0000-0000-000000000000';

const columns = () => ({
  licenseId: tenantColumns.licenseId().primary(),
  instanceId: p.uuid().primary(),
  /** Start of the bucket. */
  bucketAt: p.datetime().primary(),
  mapId: p.uuid().primary(),
  /** Number of heartbeats. */
  samples: p.integer(),
  runningSamples: p.integer(),
  playersSamples: p.integer(),
  playersSum: p.bigint('number'),
  playersMin: p.integer().nullable(),
  playersMax: p.integer().nullable(),
  fpsSamples: p.integer(),
  fpsSum: p.float(),
  fpsMin: p.float().nullable(),
  entitiesSamples: p.integer(),
  entitiesSum: p.bigint('number'),
  entitiesMax: p.integer().nullable(),
});

export const InstanceStats5mSchema = defineEntity({
  name: 'InstanceStats5m',
  tableName: 'instance_stats_5m',
  ...tenantTable,
  properties: {
    ...columns(),
    /** Whether its hour and its day include its current values. */
    isRolledUp: p.boolean().default(false),
  },
});
export class InstanceStats5m extends InstanceStats5mSchema.class {}
InstanceStats5mSchema.setClass(InstanceStats5m);

export const InstanceStatsHourSchema = defineEntity({
  name: 'InstanceStatsHour',
  tableName: 'instance_stats_hour',
  ...tenantTable,
  properties: columns(),
});
export class InstanceStatsHour extends InstanceStatsHourSchema.class {}
InstanceStatsHourSchema.setClass(InstanceStatsHour);

export const InstanceStatsDaySchema = defineEntity({
  name: 'InstanceStatsDay',
  tableName: 'instance_stats_day',
  ...tenantTable,
  properties: columns(),
});
export class InstanceStatsDay extends InstanceStatsDaySchema.class {}
InstanceStatsDaySchema.setClass(InstanceStatsDay);
