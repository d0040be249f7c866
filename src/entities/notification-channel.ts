// A channel for a license's alert notifications, and the outcome of its last delivery.
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
    /** The non-secret part of the target; null if it has none. */
    destination: p.text().nullable(),
    /** Encrypted, bound to this row. */
    target: p.blob().nullable(),
    leastSeverity: p.enum(alertSeverities).default('Info'),
    template: p.text().nullable(),
    isEnabled: p.boolean().default(true),
    /** It gets events after this number; the database sets it when the channel is created or enabled. */
    fromSeq: p.bigint('number').default(0),
    lastSuccessAt: p.datetime().nullable(),
    lastErrorAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    servedAt: p.datetime().nullable(),
    /** End of the lease of the process that sends to it; no other process may send meanwhile. */
    servedUntil: p.datetime().nullable(),
    turnId: p.uuid().nullable(),
    /** Incremented with each change. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class NotificationChannel extends NotificationChannelSchema.class {}
NotificationChannelSchema.setClass(NotificationChannel);
