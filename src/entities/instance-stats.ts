// The stats of one instance in one heartbeat; partitioned by month.
import { defineEntity, p } from '@mikro-orm/core';
import { gameInstanceStates } from './game-instance.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export const InstanceStatsSchema = defineEntity({
  name: 'InstanceStats',
  tableName: 'instance_stats',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    instanceId: p.uuid().primary(),
    recordedAt: p.datetime().primary(),
    state: p.enum(gameInstanceStates),
    uptimeSeconds: p.bigint('number'),
    players: p.integer().nullable(),
    maxPlayers: p.integer().nullable(),
    queued: p.integer().nullable(),
    fps: p.float().nullable(),
    entities: p.integer().nullable(),
    map: p.text().nullable(),
    /** Id of one of the license's played maps. */
    mapId: p.uuid().nullable(),
    cpuPercent: p.float().nullable(),
    memoryBytes: p.bigint('number').nullable(),
  },
});
export class InstanceStats extends InstanceStatsSchema.class {}
InstanceStatsSchema.setClass(InstanceStats);
