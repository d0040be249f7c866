// Where events of a license are sent to, and how that has gone.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

type WebhookEvent = components['schemas']['WebhookEvent'];

export const webhookOutcomes = [
  'succeeded',
  'rejected',
  'timed_out',
  'connection_failed',
  'unresolved',
  'address_refused',
  'url_refused',
  'secret_unreadable',
] as const satisfies components['schemas']['WebhookOutcome'][];

export const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    name: p.text(),
    url: p.text(),
    events: p.array().$type<WebhookEvent[]>(),
    isEnabled: p.boolean().default(true),
    /** Since when it is disabled, by whomever; null while it is enabled. */
    offSince: p.datetime().nullable(),
    /** When the platform has disabled it, unless somebody has enabled it since. */
    disabledAt: p.datetime().nullable(),
    disabledReason: p.text().nullable(),
    /** Sealed for this row. */
    secret: p.blob(),
    /** The one before, which signs too for a while. */
    previousSecret: p.blob().nullable(),
    previousSecretEndsAt: p.datetime().nullable(),
    lastDeliveryAt: p.datetime().nullable(),
    lastStatus: p.enum(webhookOutcomes).nullable(),
    lastStatusCode: p.integer().nullable(),
    lastSuccessAt: p.datetime().nullable(),
    /** Attempts since the last one that its receiver took. */
    recentFailures: p.integer().default(0),
    /** A receiver that fails is left alone until then. */
    restsUntil: p.datetime().nullable(),
    /** What was queued until then is sent one at a time, in order: it waited for the receiver, or for the webhook. */
    inOrderUntil: p.datetime().nullable(),
    servedAt: p.datetime().nullable(),
    /** Until when whoever has this turn may send to it, and nobody else. */
    servedUntil: p.datetime().nullable(),
    turnId: p.uuid().nullable(),
    /** Counts its changes. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
