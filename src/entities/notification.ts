// A pending or finished notification through a channel.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const notificationEvents = ['raised', 'recovered', 'test'] as const;
export const notificationStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

export const NotificationSchema = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    channelId: p.uuid(),
    /** Null for a test. */
    alertId: p.uuid().nullable(),
    event: p.enum(notificationEvents),
    status: p.enum(notificationStatuses).default('pending'),
    attemptCount: p.integer().default(0),
    /** Failed attempts; responses that ask to wait do not count. */
    failureCount: p.integer().default(0),
    nextAttemptAt: p.datetime().nullable().defaultRaw('now()'),
    lastAttemptAt: p.datetime().nullable(),
    /** Why the last attempt failed. */
    detail: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
  },
});
export class Notification extends NotificationSchema.class {}
NotificationSchema.setClass(Notification);
