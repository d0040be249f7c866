// Where alerts of a license are told, and how that went last.
import { defineEntity, p } from '@mikro-orm/core';
import { alertSeverities } from './alert.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export const notificationChannelKinds = ['chat_webhook', 'email', 'ntfy', 'pushover'] as const;

export const NotificationChannelSchema = defineEntity({
  name: 'NotificationChannel',
  tableName: 'notification_channel',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    name: p.text(),
    kind: p.enum(notificationChannelKinds),
    /** As much of the target as is no secret; null while it has none. */
    destination: p.text().nullable(),
    /** Sealed for this row. */
    target: p.blob().nullable(),
    leastSeverity: p.enum(alertSeverities).default('Info'),
    template: p.text().nullable(),
    isEnabled: p.boolean().default(true),
    lastSuccessAt: p.datetime().nullable(),
    lastErrorAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    servedAt: p.datetime().nullable(),
    /** Until when whoever has this turn may send to it, and nobody else. */
    servedUntil: p.datetime().nullable(),
    turnId: p.uuid().nullable(),
    /** Counts its changes. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class NotificationChannel extends NotificationChannelSchema.class {}
NotificationChannelSchema.setClass(NotificationChannel);
