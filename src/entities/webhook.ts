// A destination for a license's events, and the state of its deliveries.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

type EventPattern = components['schemas']['EventPattern'];

export const webhookOutcomes = [
  'succeeded',
  'rejected',
  'timed_out',
  'connection_failed',
  'unresolved',
  'address_refused',
  'url_refused',
  'secret_unreadable',
] as const satisfies components['schemas']['WebhookAttemptOutcome'][];

export const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    name: p.text(),
    url: p.text(),
    events: p.array().$type<EventPattern[]>(),
    /** It gets events after this number; set when it is created or enabled. */
    fromSeq: p.bigint('number').default(0),
    isEnabled: p.boolean().default(true),
    /** Since when it is disabled, by the platform or a member; null while it is enabled. */
    offSince: p.datetime().nullable(),
    /** When the platform disabled it; null if it was enabled since. */
    disabledAt: p.datetime().nullable(),
    disabledReason: p.text().nullable(),
    /** Encrypted, bound to this row. */
    secret: p.blob(),
    /** The previous secret, which also signs until it ends. */
    previousSecret: p.blob().nullable(),
    previousSecretEndsAt: p.datetime().nullable(),
    lastDeliveryAt: p.datetime().nullable(),
    lastStatus: p.enum(webhookOutcomes).nullable(),
    lastStatusCode: p.integer().nullable(),
    lastSuccessAt: p.datetime().nullable(),
    /** Failed attempts since the receiver's last success. */
    recentFailures: p.integer().default(0),
    /** A failing receiver gets no deliveries until then. */
    restsUntil: p.datetime().nullable(),
    /** Deliveries queued until then are sent one at a time, in order: they waited for the receiver or the webhook. */
    inOrderUntil: p.datetime().nullable(),
    servedAt: p.datetime().nullable(),
    /** End of the lease of the process that sends to it; no other process may send meanwhile. */
    servedUntil: p.datetime().nullable(),
    turnId: p.uuid().nullable(),
    /** Incremented with each change. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);
