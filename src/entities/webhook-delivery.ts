// The delivery of an event to a webhook, pending or finished.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { tenantColumns, tenantTable } from './tenant.ts';
import { webhookOutcomes } from './webhook.ts';

type Schemas = components['schemas'];

export const webhookDeliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

export const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    webhookId: p.uuid(),
    /** The type of event, or `test`. */
    event: p.text(),
    /** Null for a test. */
    eventId: p.uuid().nullable(),
    /** The request body, byte for byte. */
    body: p.text(),
    status: p.enum(webhookDeliveryStatuses).default('pending'),
    attemptCount: p.integer().default(0),
    /** Failed attempts since it was queued. */
    recentFailures: p.integer().default(0),
    /** Whether the last attempt failed because of its receiver, which would have refused any other delivery as well. */
    waitsForReceiver: p.boolean().default(false),
    /** How often it was retried at once since it was queued, because its receiver had recovered. */
    recoveryCount: p.integer().default(0),
    /** When it was last queued; a delivery can be resent. */
    queuedAt: p.datetime().defaultRaw('now()'),
    nextAttemptAt: p.datetime().nullable().defaultRaw('now()'),
    lastAttemptAt: p.datetime().nullable(),
    lastOutcome: p.enum(webhookOutcomes).nullable(),
    lastStatusCode: p.integer().nullable(),
    lastDurationMs: p.integer().nullable(),
    /** The beginning of the last response. */
    response: p.text().nullable(),
    detail: p.text().nullable(),
    /** The latest attempts, oldest first. */
    attempts: p.json<Schemas['WebhookAttempt'][]>().defaultRaw(`'[]'`),
    createdAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
  },
});
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
