// Operations of the area `webhooks`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { DeliveryDetailRow, DeliveryRow } from '../services/webhooks/deliveries.ts';
import type { CreatedWebhook, WebhookRow } from '../services/webhooks/index.ts';
import type { ReplayState } from '../services/webhooks/replays.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const webhooks = {
  listWebhooks: async (ctx, { query }) => viewPage(await ctx.services.webhooks.list(ctx, query), viewWebhook),
  createWebhook: async (ctx, { body }) => viewCreated(await ctx.services.webhooks.create(ctx, body)),
  getWebhook: async (ctx, { path }) => viewVersioned(await ctx.services.webhooks.get(ctx, path.webhook_id)),
  updateWebhook: async (ctx, { path, expectedVersions, body }) =>
    viewVersioned(await ctx.services.webhooks.update(ctx, path.webhook_id, expectedVersions, body)),
  deleteWebhook: async (ctx, { path, expectedVersions }) =>
    ctx.services.webhooks.delete(ctx, path.webhook_id, expectedVersions),
  rotateWebhookSecret: async (ctx, { path, body }) =>
    viewCreated(await ctx.services.webhooks.rotate(ctx, path.webhook_id, body)),
  testWebhook: async (ctx, { path }) =>
    viewDelivery(await ctx.services.webhookDeliveries.test(ctx, path.webhook_id)),
  listWebhookDeliveries: async (ctx, { path, query }) =>
    viewPage(await ctx.services.webhookDeliveries.list(ctx, path.webhook_id, query), viewDelivery),
  getWebhookDelivery: async (ctx, { path }) =>
    viewDetail(await ctx.services.webhookDeliveries.get(ctx, path.webhook_id, path.webhook_delivery_id)),
  resendWebhookDelivery: async (ctx, { path }) =>
    viewDelivery(await ctx.services.webhookDeliveries.resend(ctx, path.webhook_id, path.webhook_delivery_id)),
  replayWebhook: async (ctx, { path, body }) =>
    viewReplay(await ctx.services.webhookReplays.replay(ctx, path.webhook_id, body)),
  recoverWebhook: async (ctx, { path, body }) =>
    viewReplay(await ctx.services.webhookReplays.recover(ctx, path.webhook_id, body)),
} satisfies Partial<Handlers>;

const viewVersioned = (webhook: WebhookRow) => new Versioned(viewWebhook(webhook), webhook.version);

const viewCreated = ({ row, secret }: CreatedWebhook) =>
  new Versioned({ ...viewWebhook(row), secret }, row.version);

function viewWebhook(webhook: WebhookRow): Schemas['Webhook'] {
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    events: webhook.events,
    is_enabled: webhook.is_enabled,
    disabled_at: webhook.disabled_at,
    disabled_reason: webhook.disabled_reason,
    is_secret_readable: webhook.isSecretReadable,
    previous_secret_ends_at: webhook.previous_secret_ends_at,
    last_delivery_at: webhook.last_delivery_at,
    last_status: webhook.last_status,
    last_status_code: webhook.last_status_code,
    replay: webhook.replay,
    version: webhook.version,
    created_at: webhook.created_at,
  };
}

const viewReplay = ({
  status,
  queuedCount,
  createdAt,
  finishedAt,
}: ReplayState): Schemas['WebhookReplay'] => ({
  status,
  queued_count: queuedCount,
  started_at: createdAt.toISOString(),
  finished_at: finishedAt?.toISOString() ?? null,
});

function viewDelivery(delivery: DeliveryRow): Schemas['WebhookDelivery'] {
  return {
    id: delivery.id,
    webhook_id: delivery.webhook_id,
    event: delivery.event,
    event_id: delivery.event_id,
    status: delivery.status,
    attempt_count: delivery.attempt_count,
    next_attempt_at: delivery.next_attempt_at,
    last_attempt_at: delivery.last_attempt_at,
    last_outcome: delivery.last_outcome,
    last_status_code: delivery.last_status_code,
    last_duration_ms: delivery.last_duration_ms,
    created_at: delivery.created_at,
    finished_at: delivery.finished_at,
  };
}

function viewDetail(delivery: DeliveryDetailRow): Schemas['WebhookDeliveryDetail'] {
  return {
    ...viewDelivery(delivery),
    body: delivery.body,
    response: delivery.response,
    detail: delivery.detail,
    attempts: delivery.attempts ?? [],
  };
}
