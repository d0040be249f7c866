// A scheduled action on a game instance.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export type ScheduleAction = components['schemas']['ScheduleAction'];
export const missedRunPolicies = ['skip', 'catch_up'] as const;

export const ScheduleSchema = defineEntity({
  name: 'Schedule',
  tableName: 'schedule',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    instanceId: p.uuid(),
    name: p.text(),
    action: p.json<ScheduleAction>(),
    cron: p.text(),
    timeZone: p.text(),
    missedRuns: p.enum(missedRunPolicies).default('skip'),
    isEnabled: p.boolean().default(true),
    /** When it is due next; null while it is disabled, and if no future time matches. */
    nextRunAt: p.datetime().nullable(),
    /** When players are next notified of that run; null without a countdown, and after its last announcement. */
    nextAnnouncementAt: p.datetime().nullable(),
    /** Announcements up to this time were made or skipped, so that none is made twice. */
    announcedUntil: p.datetime().nullable(),
    createdBy: p.text(),
    /** Incremented with each change. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Schedule extends ScheduleSchema.class {}
ScheduleSchema.setClass(Schedule);
