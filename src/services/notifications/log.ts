// Lists the notifications of a channel, and queues test notifications.
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import type { Queries } from '../../database/reader.ts';
import { Notification } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { channelOf, lockedChannel } from './index.ts';

/** Maximum pending tests of one channel. */
export const maxWaitingTests = 5;

export type NotificationRow = Awaited<ReturnType<typeof notificationOf>>;

export class NotificationLog {
  async list(ctx: Ctx, channelId: string, query: Query<'listNotifications'>): Promise<Page<NotificationRow>> {
    return ctx.read(async (queries) => {
      await channelOf(queries, channelId);
      let found = notifications(queries, channelId);
      if (query.status !== undefined) found = found.where('status', '=', query.status);
      return pageOf(found, query, byId('id', 'desc'));
    });
  }

  async test(ctx: Ctx, channelId: string): Promise<NotificationRow> {
    return ctx.transact(async (em, queries) => {
      const channel = await lockedChannel(em, channelId, null);
      if (!channel.target)
        throw new DomainError(
          'validation_failed',
          'The channel has no target, because it was imported without one. Set its target first.',
        );
      await refuseBeyond(em, {
        subject: `tests of channel ${channelId}`,
        max: maxWaitingTests,
        count: () => em.count(Notification, { channelId, event: 'test', status: 'pending' }),
        detail: `A channel has at most ${maxWaitingTests} pending tests; wait until one has been sent.`,
      });
      const notification = em.create(Notification, { channelId, event: 'test' });
      await em.flush();
      return notificationOf(queries, channelId, notification.id);
    });
  }
}

function notifications(queries: Queries, channelId: string) {
  return queries
    .selectFrom('notification')
    .select([
      'id',
      'alert_id',
      'event',
      'status',
      'attempt_count',
      'next_attempt_at',
      'last_attempt_at',
      'detail',
      'created_at',
      'finished_at',
    ])
    .where('channel_id', '=', channelId);
}

async function notificationOf(queries: Queries, channelId: string, id: string) {
  const notification = await notifications(queries, channelId).where('id', '=', id).executeTakeFirst();
  if (notification === undefined) throw notFound('notification');
  return notification;
}
