// What heartbeats said of an instance in five minutes, an hour and a day, for each map apart; sums, so that they add up.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

/** Stands for the map of heartbeats that named none. */
export const noMap = '00000000-0000-0000-0000-000000000000';

const columns = () => ({
  licenseId: tenantColumns.licenseId().primary(),
  instanceId: p.uuid().primary(),
  /** When it begins. */
  bucketAt: p.datetime().primary(),
  mapId: p.uuid().primary(),
  /** Heartbeats. */
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
    /** Whether its hour and its day have it as it is. */
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
