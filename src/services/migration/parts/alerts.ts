// Alert rules and notification channels in migration documents; the channels' targets are left out.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { AlertConfig, NotificationChannel } from '../../../entities/index.ts';
import { DomainError } from '../../../errors.ts';
import { configOf, storeRules, lockAlertConfig } from '../../alerts/config.ts';
import { withChanges, type AlertRules } from '../../alerts/rules.ts';
import { channelLimit, maxChannels } from '../../notifications/index.ts';
import { refuseTemplate } from '../../notifications/templates.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Config = ItemOf<'alert_config'>;
type Channel = ItemOf<'notification_channels'>;

export const alertConfigPart = (): MigrationPart<Config> => ({
  version: 1,
  max: 1,
  permission: 'alerts.manage',

  async page(queries, last) {
    if (last !== undefined) return [];
    const { rules, version } = await configOf(queries);
    return version === 0 ? [] : [rules];
  },

  labelOf: () => 'when alerts are raised',

  async open({ ctx, em }) {
    await lockAlertConfig(ctx, em);
    const stored = await em.findOne(AlertConfig, ctx.licenseId);
    return {
      keyOf: () => '',
      refusals: {},
      stored: (item) => (stored === null ? undefined : ofKindsIn(item, withChanges(stored.rules, {}))),
      check: () => undefined,

      async apply(pending) {
        for (const { item } of pending) await storeRules(ctx, em, withChanges(stored?.rules ?? {}, item));
      },
    };
  },
});

/** An older document lacks the newer kinds, and leaves them unchanged. */
function ofKindsIn(item: Config, rules: AlertRules): Config {
  if (item.clock_wrong !== undefined) return rules;
  const { clock_wrong: _unsaid, ...others } = rules;
  return others;
}

export const notificationChannelsPart = (): MigrationPart<Channel> => ({
  version: 1,
  max: maxChannels,
  permission: 'notifications.manage',

  async page(queries, last, count) {
    let found = queries
      .selectFrom('notification_channel')
      .select([
        'name',
        'kind',
        sql<Channel['least_severity']>`least_severity`.as('least_severity'),
        'template',
      ])
      .orderBy(inOrder)
      .limit(count);
    if (last !== undefined) found = found.where(inOrder, '>', last.name);
    return found.execute();
  },

  labelOf: ({ name }) => name,

  limit: ({ em, ctx }) => channelLimit(em, ctx.licenseId),

  async open({ em }, items) {
    const stored = await em.find(
      NotificationChannel,
      { name: { $in: items.map(({ name }) => name) } },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
    );
    const byName = new Map(stored.map((channel) => [channel.name, channel]));
    return {
      keyOf: ({ name }) => name,
      refusals: {
        notification_channel_license_id_name_key: () =>
          new DomainError(
            'name_taken',
            'A channel of this name was created during the import; start the import again.',
          ),
      },

      reasonToSkip({ name, kind }) {
        const channel = byName.get(name);
        if (channel === undefined || channel.kind === kind) return null;
        return `The license has a channel of that name, of the kind ${channel.kind}.`;
      },

      stored({ name }) {
        const channel = byName.get(name);
        return (
          channel && {
            name,
            kind: channel.kind,
            least_severity: channel.leastSeverity ?? 'Info',
            template: channel.template ?? null,
          }
        );
      },

      check: ({ template }) => refuseTemplate(template),

      async apply(pending) {
        for (const { item } of pending) {
          const { name, kind, least_severity: leastSeverity, template } = item;
          const channel = byName.get(name);
          if (channel === undefined)
            em.create(NotificationChannel, { name, kind, leastSeverity, template, isEnabled: false });
          else em.assign(channel, { leastSeverity, template, version: (channel.version ?? 0) + 1 });
        }
      },
    };
  },
});

const inOrder = sql<string>`name collate "C"`;
