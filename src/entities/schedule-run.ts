// One run of a schedule, due or requested, and its outcome; the database updates it with its command.
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
    /** Null if a user requested the run. */
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
