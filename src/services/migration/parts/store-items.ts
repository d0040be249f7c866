// Store items in migration documents, which refer to categories, required items and instances by name.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Queries } from '../../../database/reader.ts';
import { StoreCategory, StoreItem } from '../../../entities/index.ts';
import { DomainError } from '../../../errors.ts';
import { moneyOf } from '../../../payments/money.ts';
import { refuseBeyondOwn } from '../../team/access.ts';
import { currencyOf } from '../../store/settings/index.ts';
import {
  itemLimit,
  maxItems,
  priceOf,
  relate,
  unrelate,
  refuseBadTemplates,
} from '../../store/catalogue/index.ts';
import type { Importing, ItemOf, MigrationPart, PartTarget } from '../part.ts';

type Item = ItemOf<'store_items'>;

export const storeItemsPart = (): MigrationPart<Item> => ({
  version: 1,
  after: ['store_categories', 'store_config'],
  max: maxItems,
  permission: 'webstore.manage',

  async page(queries, last, count) {
    return documented(queries, count, last?.name);
  },

  labelOf: ({ name }) => name,

  normal: (item) => ({
    ...item,
    required_items: item.required_items.toSorted(inNames),
    instances: item.instances.toSorted((one, other) => inNames(placeOf(one), placeOf(other))),
  }),

  limit: ({ em, ctx }) => itemLimit(em, ctx.licenseId),

  open: (importing, items) => target(importing, items),
});

async function target(
  { em, queries, held, instances, planned }: Importing,
  items: readonly Item[],
): Promise<PartTarget<Item>> {
  const stored = await em.find(
    StoreItem,
    {},
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  const byName = new Map(stored.map((item) => [item.name, item]));
  const before = new Map((await documented(queries, maxItems)).map((item) => [item.name, item]));
  const categories = await em.find(StoreCategory, {});
  const groups = new Set([...categories.map(({ name }) => name), ...(planned.get('store_categories') ?? [])]);
  const names = new Set([...byName.keys(), ...items.map(({ name }) => name)]);
  const currency = await currencyOf(queries);
  const isSettled = (planned.get('store_config')?.size ?? 0) === 0;

  return {
    keyOf: ({ name }) => name,
    refusals: {
      store_item_license_id_name_key: () =>
        new DomainError(
          'name_taken',
          'An item of this name was created during the import; start the import again.',
        ),
    },

    reasonToSkip({ category, required_items: needed, instances: places }) {
      const place = places.find((each) => instances.idOf(each) === undefined);
      if (place !== undefined) return instances.reasonToSkip(place);
      if (category !== null && !groups.has(category)) return `The license has no category ${category}.`;
      const missing = needed.find((name) => !names.has(name));
      return missing === undefined ? null : `The license has no item ${missing}.`;
    },

    stored: ({ name }) => before.get(name),

    check(item) {
      refuseBeyondOwn(held, { 'console.input': true });
      refuseBadTemplates('delivery_commands', item.delivery_commands);
      refuseBadTemplates('revoke_commands', item.revoke_commands);
      priceOf(item.price.amount, item.price.currency);
      if (isSettled && item.price.currency !== currency) throw otherCurrency(currency);
    },

    async apply(pending) {
      await em.flush();
      const now = await currencyOf(queries);
      const idOf = new Map((await em.find(StoreCategory, {})).map(({ id, name }) => [name, id]));
      const made = pending.map(({ item, isNew }) => {
        if (item.price.currency !== now) throw otherCurrency(now);
        const row = byName.get(item.name);
        const columns = columnsOf(item, item.category === null ? null : (idOf.get(item.category) ?? null));
        if (isNew || row === undefined) return { item, row: em.create(StoreItem, columns) };
        return { item, row: em.assign(row, { ...columns, version: (row.version ?? 0) + 1 }) };
      });
      await em.flush();
      for (const { item, row } of made) byName.set(item.name, row);
      for (const { item, row } of made) {
        await unrelate(em, row.id);
        await relate(em, row.id, {
          required_item_ids: item.required_items.flatMap((name) => byName.get(name)?.id ?? []),
          instance_ids: item.instances.flatMap((place) => instances.idOf(place) ?? []),
        });
      }
    },
  };
}

function columnsOf(item: Item, categoryId: string | null) {
  return {
    name: item.name,
    description: item.description,
    imageUrl: item.image_url,
    categoryId,
    position: item.position,
    priceMinor: priceOf(item.price.amount, item.price.currency),
    currency: item.price.currency,
    isEnabled: item.is_enabled,
    limitPerPlayer: item.limit_per_player,
    limitTotal: item.limit_total,
    deliveryCommands: item.delivery_commands,
    revokeCommands: item.revoke_commands,
    needsOnlinePlayer: item.needs_online_player,
    repeatsAfterWipe: item.repeats_after_wipe,
    deliveryDays: item.delivery_days,
  };
}

/** Items in document form, ordered by name. */
async function documented(queries: Queries, count: number, after?: string): Promise<Item[]> {
  let found = queries
    .selectFrom('store_item as item')
    .leftJoin('store_category as category', 'category.id', 'item.category_id')
    .select([
      'item.name',
      'item.description',
      'item.image_url',
      'category.name as category',
      'item.position',
      'item.price_minor',
      'item.currency',
      'item.is_enabled',
      'item.limit_per_player',
      'item.limit_total',
      sql<string[]>`array(select other.name from store_item_requirement as need
        join store_item as other on other.id = need.required_item_id
        where need.item_id = item.id order by other.name collate "C")`.as('required_items'),
      sql<
        Item['instances']
      >`coalesce((select jsonb_agg(jsonb_build_object('host', host.hostname, 'instance', instance.name)
          order by host.hostname || '/' || instance.name collate "C")
        from store_item_instance as place
        join game_instance as instance on instance.id = place.instance_id
        join agent_host as host on host.id = instance.host_id where place.item_id = item.id), '[]')`.as(
        'instances',
      ),
      'item.delivery_commands',
      'item.revoke_commands',
      'item.needs_online_player',
      'item.repeats_after_wipe',
      'item.delivery_days',
    ])
    .orderBy(inOrder)
    .limit(count);
  if (after !== undefined) found = found.where(inOrder, '>', after);
  const rows = await found.execute();
  return rows.map(({ price_minor: minor, currency, ...item }) => ({
    ...item,
    price: moneyOf(minor, currency),
  }));
}

const inOrder = sql<string>`item.name collate "C"`;
const placeOf = ({ host, instance }: Item['instances'][number]) => `${host}/${instance}`;
/** Compares bytes, as the database's collation does. */
const inNames = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

const otherCurrency = (currency: string) =>
  new DomainError('currency_in_use', `The prices of this store are in ${currency}.`);
