// One change of a row or a file, and its actor; written by the database, partitioned by month, never changed.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantTable } from './tenant.ts';

export const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  ...tenantTable,
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    recordedAt: p.datetime().primary().defaultRaw('now()'),
    /** Null for rows without a license, for example users. */
    licenseId: p.uuid().nullable(),
    actorKind: p.enum(['anonymous', 'api_key', 'companion', 'job', 'plugin', 'system', 'user'] as const),
    actorId: p.text().nullable(),
    actorLabel: p.text().nullable(),
    operation: p.text().nullable(),
    requestId: p.text().nullable(),
    source: p.text().nullable(),
    action: p.enum(['attempted', 'created', 'updated', 'deleted', 'failed'] as const),
    targetType: p.text(),
    targetId: p.text(),
    before: p.json<Record<string, unknown>>().nullable(),
    after: p.json<Record<string, unknown>>().nullable(),
  },
});
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
