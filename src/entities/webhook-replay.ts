// The latest replay or recovery of a webhook: what it sends again, and how far it got.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const webhookReplayStatuses = ['running', 'finished', 'cancelled'] as const;

export const WebhookReplaySchema = defineEntity({
  name: 'WebhookReplay',
  tableName: 'webhook_replay',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    webhookId: p.uuid(),
    /** A replay sends events of the log, a recovery sends deliveries that failed or were cancelled. */
    kind: p.enum(['replay', 'recovery'] as const),
    status: p.enum(webhookReplayStatuses).default('running'),
    /** Only events of these types; null for all that the webhook subscribes to. */
    patterns: p.array().nullable(),
    /** Only events without a delivery to the webhook. */
    isOnlyMissing: p.boolean().default(false),
    /** Events recorded, or deliveries ended, from then on … */
    fromAt: p.datetime(),
    /** … and events recorded before then; null for those until it was requested. */
    toAt: p.datetime().nullable(),
    /** The position in the log of the last event that was considered. */
    afterAt: p.datetime(),
    afterSeq: p.bigint('number').default(0),
    /** The newest event when it was requested. */
    lastSeq: p.bigint('number').default(0),
    /** The last delivery that a recovery has queued. */
    afterDeliveryId: p.uuid().defaultRaw(`'00000000-0000-0000-0000-000000000000'`),
    queuedCount: p.integer().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
  },
});
export class WebhookReplay extends WebhookReplaySchema.class {}
WebhookReplaySchema.setClass(WebhookReplay);
