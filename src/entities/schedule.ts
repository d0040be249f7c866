// Something that is done to a game instance by the clock.
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
    /** When it is due next; null while it is disabled, and when there is no such time any more. */
    nextRunAt: p.datetime().nullable(),
    /** When players are next told of that run; null without a countdown, and when all of them have been told. */
    nextAnnouncementAt: p.datetime().nullable(),
    /** Up to which moment announcements were made or left out, so that none is made twice. */
    announcedUntil: p.datetime().nullable(),
    createdBy: p.text(),
    /** Counts its changes. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Schedule extends ScheduleSchema.class {}
ScheduleSchema.setClass(Schedule);
