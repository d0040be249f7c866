// Operations of the area `notifications`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { ChannelRow } from '../services/notifications/index.ts';
import type { NotificationRow } from '../services/notifications/log.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const notifications = {
  listNotificationChannels: async (ctx, { query }) =>
    viewPage(await ctx.services.notificationChannels.list(ctx, query), viewChannel),
  createNotificationChannel: async (ctx, { body }) =>
    viewVersioned(await ctx.services.notificationChannels.create(ctx, body)),
  getNotificationChannel: async (ctx, { path }) =>
    viewVersioned(await ctx.services.notificationChannels.get(ctx, path.notification_channel_id)),
  updateNotificationChannel: async (ctx, { path, expectedVersions, body }) =>
    viewVersioned(
      await ctx.services.notificationChannels.update(
        ctx,
        path.notification_channel_id,
        expectedVersions,
        body,
      ),
    ),
  deleteNotificationChannel: async (ctx, { path, expectedVersions }) =>
    ctx.services.notificationChannels.delete(ctx, path.notification_channel_id, expectedVersions),
  testNotificationChannel: async (ctx, { path }) =>
    viewNotification(await ctx.services.notificationLog.test(ctx, path.notification_channel_id)),
  listNotifications: async (ctx, { path, query }) =>
    viewPage(
      await ctx.services.notificationLog.list(ctx, path.notification_channel_id, query),
      viewNotification,
    ),
} satisfies Partial<Handlers>;

const viewVersioned = (channel: ChannelRow) => new Versioned(viewChannel(channel), channel.version);

function viewChannel(channel: ChannelRow): Schemas['NotificationChannel'] {
  return {
    id: channel.id,
    name: channel.name,
    kind: channel.kind,
    destination: channel.destination,
    least_severity: channel.least_severity,
    template: channel.template,
    is_enabled: channel.is_enabled,
    last_success_at: channel.last_success_at,
    last_error_at: channel.last_error_at,
    last_error: channel.last_error,
    version: channel.version,
    created_at: channel.created_at,
  };
}

function viewNotification(notification: NotificationRow): Schemas['Notification'] {
  return {
    id: notification.id,
    alert_id: notification.alert_id,
    event: notification.event,
    status: notification.status,
    attempt_count: notification.attempt_count,
    next_attempt_at: notification.next_attempt_at,
    last_attempt_at: notification.last_attempt_at,
    detail: notification.detail,
    created_at: notification.created_at,
    finished_at: notification.finished_at,
  };
}
