// One time that a schedule was due, or was asked for, and what came of it; the database lets it follow its command.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const scheduleRunStatuses = ['running', 'succeeded', 'sent', 'failed', 'skipped'] as const;

export const ScheduleRunSchema = defineEntity({
  name: 'ScheduleRun',
  tableName: 'schedule_run',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    scheduleId: p.uuid(),
    /** Null when somebody asked for it. */
    dueAt: p.datetime().nullable(),
    status: p.enum(scheduleRunStatuses),
    detail: p.text().nullable(),
    errorCode: p.text().nullable(),
    commandId: p.uuid().nullable(),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
  },
});
export class ScheduleRun extends ScheduleRunSchema.class {}
ScheduleRunSchema.setClass(ScheduleRun);
