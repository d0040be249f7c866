// Which maps instances played: recent five-minute slots, slots per day, sums per month, and the progress of each.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const MapSightingSchema = defineEntity({
  name: 'MapSighting',
  tableName: 'map_sighting',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    id: p.bigint('number').primary(),
    instanceId: p.uuid(),
    mapId: p.uuid(),
    bucketAt: p.datetime(),
    queuedAt: p.datetime().defaultRaw('now()'),
  },
});
export class MapSighting extends MapSightingSchema.class {}
MapSightingSchema.setClass(MapSighting);

export const MapDaySchema = defineEntity({
  name: 'MapDay',
  tableName: 'map_day',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    instanceId: p.uuid().primary(),
    /** A day in UTC. */
    day: p.date().primary(),
    mapId: p.uuid().primary(),
    /** One bit for each five minutes of the day, the first one leftmost: whether a heartbeat named the map then. */
    slots: p.text().columnType('bit varying'),
  },
});
export class MapDay extends MapDaySchema.class {}
MapDaySchema.setClass(MapDay);

export const MapMonthSchema = defineEntity({
  name: 'MapMonth',
  tableName: 'map_month',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    month: p.date().primary(),
    mapId: p.uuid().primary(),
    /** Number of five-minute slots. */
    slots: p.bigint('number'),
    playersSamples: p.bigint('number'),
    playersSum: p.bigint('number'),
    playersMax: p.integer().nullable(),
  },
});
export class MapMonth extends MapMonthSchema.class {}
MapMonthSchema.setClass(MapMonth);

export const MapMonthEndSchema = defineEntity({
  name: 'MapMonthEnd',
  tableName: 'map_month_end',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    summedUpTo: p.datetime().defaultRaw(`'-infinity'`),
  },
});
export class MapMonthEnd extends MapMonthEndSchema.class {}
MapMonthEndSchema.setClass(MapMonthEnd);
