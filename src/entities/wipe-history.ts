// A wipe of a game instance: the request, its progress on the agent, and its outcome.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const wipeKinds = ['map', 'blueprints', 'full'] as const;
export const wipeStatuses = [
  'planned',
  'announcing',
  'stopping',
  'backing_up',
  'deleting',
  'starting',
  'completed',
  'failed',
  'rolled_back',
  'cancelled',
] as const;

export const WipeHistorySchema = defineEntity({
  name: 'WipeHistory',
  tableName: 'wipe_history',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    hostId: p.uuid().nullable(),
    instanceId: p.uuid().nullable(),
    instanceName: p.text(),
    commandId: p.uuid().nullable(),
    kind: p.enum(wipeKinds),
    seed: p.integer().nullable(),
    worldSize: p.integer().nullable(),
    mapId: p.uuid().nullable(),
    countdownSeconds: p.integer(),
    message: p.text().nullable(),
    withBackup: p.boolean(),
    withStart: p.boolean(),
    status: p.enum(wipeStatuses).default('planned'),
    /** Sequence number of the agent's latest report; 0 before the first. */
    reportSeq: p.integer().default(0),
    reportedAt: p.datetime().nullable(),
    detail: p.text().nullable(),
    errorCode: p.text().nullable(),
    dueAt: p.datetime().nullable(),
    fileCount: p.integer().nullable(),
    deletedBytes: p.bigint('number').nullable(),
    requestedBy: p.text().nullable(),
    cancelRequestedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    begunAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
  },
});
export class WipeHistory extends WipeHistorySchema.class {}
WipeHistorySchema.setClass(WipeHistory);
