// Webhooks in migration documents, identified by name; secrets are not exported, and an import creates new ones.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { Webhook } from '../../../entities/index.ts';
import { DomainError, invalidField } from '../../../errors.ts';
import { currentPatterns, type EventPattern } from '../../../platform-contract/events.ts';
import { change, maxWebhooks, refuseUnreadable, webhookLimit, type Webhooks } from '../../webhooks/index.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Item = ItemOf<'webhooks'>;

export const webhooksPart = (webhooks: Webhooks): MigrationPart<Item> => ({
  version: 1,
  max: maxWebhooks,
  permission: 'webhooks.manage',

  /** Documents from before the event log have the names of that time. */
  normal: (item) => ({ ...item, events: currentPatterns(item.events) ?? item.events }),

  async page(queries, last, count) {
    let found = queries
      .selectFrom('webhook')
      .select(['name', 'url', 'events', sql<boolean>`is_enabled`.as('is_enabled')])
      .orderBy(inOrder)
      .limit(count);
    if (last !== undefined) found = found.where(inOrder, '>', last.name);
    return found.execute();
  },

  labelOf: ({ name }) => name,

  limit: ({ em, ctx }) => webhookLimit(em, ctx.licenseId),

  async open({ em, ctx }, items) {
    const stored = await em.find(
      Webhook,
      { name: { $in: items.map(({ name }) => name) } },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
    );
    const byName = new Map(stored.map((webhook) => [webhook.name, webhook]));
    return {
      keyOf: ({ name }) => name,
      refusals: {
        webhook_license_id_name_key: () =>
          new DomainError(
            'name_taken',
            'A webhook of this name was created during the import; start the import again.',
          ),
      },

      stored({ name }) {
        const webhook = byName.get(name);
        return webhook && { name, url: webhook.url, events: webhook.events, is_enabled: webhook.isEnabled };
      },

      check({ url, events }) {
        webhooks.refuseUrl(url);
        refuseUnreadable(ctx, patternsOf(events));
      },

      async apply(pending) {
        for (const { item: imported, isNew } of pending) {
          const item = { ...imported, events: patternsOf(imported.events) };
          const webhook = byName.get(item.name);
          if (isNew || webhook === undefined) await webhooks.add(em, item);
          else await change(em, webhook, item);
        }
      },
    };
  },
});

const inOrder = sql<string>`name collate "C"`;

function patternsOf(names: readonly string[]): EventPattern[] {
  const patterns = currentPatterns(names);
  if (patterns === undefined)
    throw invalidField({ in: 'body', pointer: '/events', detail: 'has a name that is not a type of event' });
  return patterns;
}
