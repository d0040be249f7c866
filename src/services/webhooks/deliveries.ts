// The delivery log of a webhook, and sending on request: a test, or a delivery again.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import { eventTypes, typesOf } from '../../platform-contract/events.ts';
import type { Query } from '../../platform-contract/types.ts';
import { licenseNow } from '../../database/license-clock.ts';
import type { Queries } from '../../database/reader.ts';
import { WebhookDelivery, type Webhook } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import { createdWithin } from '../../lists/filters.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { grants } from '../auth/role-permissions.ts';
import { lockedWebhook, webhookOf } from './index.ts';

/** Maximum pending tests of one webhook. */
export const maxWaitingTests = 10;

export type DeliveryRow = Awaited<ReturnType<typeof deliveryOf>>;
export type DeliveryDetailRow = Awaited<ReturnType<typeof detailOf>>;

export class WebhookDeliveries {
  async list(ctx: Ctx, webhookId: string, query: Query<'listWebhookDeliveries'>): Promise<Page<DeliveryRow>> {
    return ctx.read(async (queries) => {
      await webhookOf(queries, webhookId);
      let found = deliveries(queries, webhookId).where(createdWithin('created_at', query));
      if (query.status !== undefined) found = found.where('status', '=', query.status);
      if (query.event !== undefined) found = found.where('event', '=', query.event);
      return pageOf(found, query, byId('id', 'desc'));
    });
  }

  async get(ctx: Ctx, webhookId: string, id: string): Promise<DeliveryDetailRow> {
    return ctx.read(async (queries) => {
      const delivery = await detailOf(queries, webhookId, id);
      refuseUnreadableBody(ctx, delivery.event);
      return delivery;
    });
  }

  /** Queues a test event, which no domain event caused. */
  async test(ctx: Ctx, webhookId: string): Promise<DeliveryRow> {
    return ctx.transact(async (em, queries) => {
      const webhook = await lockedWebhook(em, webhookId, null);
      refuseDisabled(webhook);
      await refuseBeyond(em, {
        subject: `tests of webhook ${webhookId}`,
        max: maxWaitingTests,
        count: () => em.count(WebhookDelivery, { webhookId, event: 'test', status: 'pending' }),
        detail: `A webhook has at most ${maxWaitingTests} pending tests; wait until one has been sent.`,
      });
      webhook.restsUntil = null;
      const [made] = await em.execute<{ id: string }[]>('select uuidv7() as id');
      const id = made?.id ?? '';
      const body = JSON.stringify({
        id,
        type: 'test',
        occurred_at: (await licenseNow(queries)).toISOString(),
        license_id: ctx.licenseId,
        data: { webhook_id: webhookId, requested_by: ctx.actor?.label ?? null },
      });
      em.create(WebhookDelivery, { id, webhookId, event: 'test', body });
      await em.flush();
      return deliveryOf(queries, webhookId, id);
    });
  }

  /** Queues a delivery again, as if its event had just happened. */
  async resend(ctx: Ctx, webhookId: string, id: string): Promise<DeliveryRow> {
    return ctx.transact(async (em, queries) => {
      const webhook = await lockedWebhook(em, webhookId, null);
      const delivery = await em.findOne(
        WebhookDelivery,
        { id, webhookId },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      if (delivery === null) throw missing();
      refuseDisabled(webhook);
      webhook.restsUntil = null;
      const now = new Date();
      em.assign(delivery, {
        status: 'pending',
        recentFailures: 0,
        recoveryCount: 0,
        queuedAt: now,
        nextAttemptAt: now,
        finishedAt: null,
      });
      await em.flush();
      return deliveryOf(queries, webhookId, id);
    });
  }
}

function deliveries(queries: Queries, webhookId: string) {
  return queries
    .selectFrom('webhook_delivery')
    .select([
      'id',
      'webhook_id',
      'event',
      'event_id',
      'status',
      'attempt_count',
      'next_attempt_at',
      'last_attempt_at',
      'last_outcome',
      'last_status_code',
      'last_duration_ms',
      'created_at',
      'finished_at',
    ])
    .where('webhook_id', '=', webhookId);
}

async function deliveryOf(queries: Queries, webhookId: string, id: string) {
  const delivery = await deliveries(queries, webhookId).where('id', '=', id).executeTakeFirst();
  if (delivery === undefined) throw missing();
  return delivery;
}

async function detailOf(queries: Queries, webhookId: string, id: string) {
  const delivery = await deliveries(queries, webhookId)
    .select(['body', 'response', 'detail', 'attempts'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (delivery === undefined) throw missing();
  return delivery;
}

/** The body is the event, which requires the permission of its type wherever it is read. */
function refuseUnreadableBody({ license }: Ctx, event: string): void {
  for (const type of typesOf(event)) {
    const { permission } = eventTypes[type];
    if (!grants(license.permissions, permission))
      throw new DomainError('forbidden', `Events of the type ${type} require the permission ${permission}.`);
  }
}

export function refuseDisabled({ isEnabled, name }: Webhook): void {
  if (!isEnabled) throw new DomainError('webhook_disabled', `${name} is disabled; enable it first.`);
}

const missing = () => notFound('delivery');
