// Creates, changes, enables and disables the notification channels of a license.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import type { Queries } from '../../database/reader.ts';
import { NotificationChannel } from '../../entities/index.ts';
import { DomainError, invalidField, notFound } from '../../errors.ts';
import { refuseBeyond, type Limit } from '../../preconditions/limits.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { refuseStale } from '../../preconditions/version.ts';
import { destinationOf, type Target, type Targets } from './targets.ts';
import { refuseTemplate } from './templates.ts';

export const maxChannels = 20;
export const maxChannelsOfSandbox = 5;

export type ChannelKind = Schemas['NotificationChannelKind'];
export type ChannelRow = Awaited<ReturnType<typeof channelOf>>;

export class NotificationChannels {
  readonly #targets: Targets;

  constructor(targets: Targets) {
    this.#targets = targets;
  }

  async list(ctx: Ctx, query: Query<'listNotificationChannels'>): Promise<Page<ChannelRow>> {
    return ctx.read((queries) => pageOf(channels(queries), query, byId('id', 'asc')));
  }

  async get(ctx: Ctx, id: string): Promise<ChannelRow> {
    return ctx.read((queries) => channelOf(queries, id));
  }

  async create(ctx: Ctx, input: Schemas['NotificationChannelCreate']): Promise<ChannelRow> {
    const { name, target, least_severity: leastSeverity, template = null, is_enabled: isEnabled } = input;
    refuseTemplate(template);
    return ctx.transact(async (em, queries) => {
      await this.#targets.refuse(queries, target);
      await refuseBeyond(em, channelLimit(em, ctx.licenseId));
      const [made] = await em.execute<{ id: string }[]>('select uuidv7() as id');
      const id = made?.id ?? '';
      const channel = em.create(NotificationChannel, {
        id,
        name,
        template,
        ...this.#stored(target, id),
        ...(leastSeverity !== undefined && { leastSeverity }),
        ...(isEnabled !== undefined && { isEnabled }),
      });
      await flushNamed(em, channel);
      return channelOf(queries, id);
    });
  }

  async update(
    ctx: Ctx,
    id: string,
    expectedVersions: readonly number[] | null,
    changes: Schemas['NotificationChannelUpdate'],
  ): Promise<ChannelRow> {
    const { name, target, least_severity: leastSeverity, template, is_enabled: isEnabled } = changes;
    refuseTemplate(template);
    return ctx.transact(async (em, queries) => {
      const channel = await lockedChannel(em, id, expectedVersions);
      if (target !== undefined) {
        await this.#targets.refuse(queries, target);
        em.assign(channel, this.#stored(target, id));
        await hurryWaiting(em, id);
      }
      if (isEnabled === true && !channel.target) throw withoutTarget();
      if (isEnabled === false && channel.isEnabled === true) await cancelWaiting(em, id);
      em.assign(channel, {
        ...(name !== undefined && { name }),
        ...(leastSeverity !== undefined && { leastSeverity }),
        ...(template !== undefined && { template }),
        ...(isEnabled !== undefined && { isEnabled }),
        version: (channel.version ?? 0) + 1,
      });
      await flushNamed(em, channel);
      return channelOf(queries, id);
    });
  }

  async delete(ctx: Ctx, id: string, expectedVersions: readonly number[] | null): Promise<void> {
    await ctx.transact(async (em) => {
      em.remove(await lockedChannel(em, id, expectedVersions));
    });
  }

  #stored(target: Target, id: string) {
    return {
      kind: target.kind,
      destination: destinationOf(target),
      target: this.#targets.close(target, id),
    };
  }
}

/** Makes pending notifications due, so that they go to the new target, and resets their failures. */
async function hurryWaiting(em: EntityManager, channelId: string): Promise<void> {
  await em.execute(
    `update notification set failure_count = 0, next_attempt_at = now()
     where channel_id = ? and status = 'pending'`,
    [channelId],
  );
}

/** Cancels pending notifications. */
async function cancelWaiting(em: EntityManager, channelId: string): Promise<void> {
  await em.execute(
    `update notification set status = 'cancelled', next_attempt_at = null, finished_at = now(),
       detail = 'The channel was disabled.'
     where channel_id = ? and status = 'pending'`,
    [channelId],
  );
}

function channels(queries: Queries) {
  return queries
    .selectFrom('notification_channel')
    .select([
      'id',
      'name',
      'kind',
      'destination',
      'least_severity',
      'template',
      'is_enabled',
      'last_success_at',
      'last_error_at',
      'last_error',
      'version',
      'created_at',
    ]);
}

export async function channelOf(queries: Queries, id: string) {
  const channel = await channels(queries).where('id', '=', id).executeTakeFirst();
  if (channel === undefined) throw notFound('notification channel');
  return channel;
}

/** Locks the channel until the transaction ends. */
export async function lockedChannel(
  em: EntityManager,
  id: string,
  expectedVersions: readonly number[] | null,
): Promise<NotificationChannel> {
  const channel = await em.findOne(NotificationChannel, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (channel === null) throw notFound('notification channel');
  refuseStale(channel, expectedVersions, 'The channel');
  return channel;
}

export const channelLimit = (em: EntityManager, licenseId: string): Limit => ({
  subject: `notification channels ${licenseId}`,
  max: maxChannels,
  count: () => em.count(NotificationChannel),
  detail: `A license has at most ${maxChannels} notification channels, and a sandbox ${maxChannelsOfSandbox}.`,
  inSandbox: { licenseId, max: maxChannelsOfSandbox },
});

const withoutTarget = () =>
  invalidField({
    in: 'body',
    pointer: '/is_enabled',
    detail: 'requires a target first, because the channel was imported without one',
  });

function flushNamed(em: EntityManager, { name }: NotificationChannel): Promise<void> {
  return refusing(
    {
      notification_channel_license_id_name_key: () =>
        new DomainError('name_taken', `A channel named ${name} already exists.`),
    },
    () => em.flush(),
  );
}
