// A backup of a game instance on its host, as last reported by its agent.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const backupKinds = ['manual', 'scheduled', 'wipe', 'before_restore'] as const;

export const InstanceBackupSchema = defineEntity({
  name: 'InstanceBackup',
  tableName: 'instance_backup',
  ...tenantTable,
  properties: {
    instanceId: p.uuid().primary(),
    /** Chosen by the requester; agents of other licenses may know the same id. */
    id: p.uuid().primary(),
    licenseId: tenantColumns.licenseId(),
    kind: p.enum(backupKinds),
    note: p.text().nullable(),
    isPinned: p.boolean().default(false),
    isPartial: p.boolean(),
    paths: p.json<string[]>().nullable(),
    size: p.bigint('number'),
    contentSize: p.bigint('number'),
    sha256: p.text(),
    files: p.integer(),
    changedFiles: p.integer(),
    leftOut: p.integer(),
    /** The schedule that made it; null if none did, or if the schedule was deleted. */
    scheduleId: p.uuid().nullable(),
    createdAt: p.datetime(),
  },
});
export class InstanceBackup extends InstanceBackupSchema.class {}
InstanceBackupSchema.setClass(InstanceBackup);
