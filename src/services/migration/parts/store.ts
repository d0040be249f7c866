// Store settings and categories in migration documents; payment accounts and whether it is open are left out.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { StoreCategory, StoreConfig, StoreItem } from '../../../entities/index.ts';
import { DomainError } from '../../../errors.ts';
import { lockStore } from '../../store/settings/index.ts';
import { categoryLimit, maxCategories } from '../../store/catalogue/categories.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Config = ItemOf<'store_config'>;
type Category = ItemOf<'store_categories'>;

export const storeConfigPart = (): MigrationPart<Config> => ({
  version: 1,
  max: 1,
  permission: 'webstore.manage',

  async page(queries, last) {
    if (last !== undefined) return [];
    return queries.selectFrom('store_config').select(['name', 'currency', 'theme', 'terms']).execute();
  },

  labelOf: ({ name }) => name,

  async open({ ctx, em }) {
    await lockStore(em, ctx.licenseId);
    const stored = await em.findOne(StoreConfig, ctx.licenseId);
    const priced = await em.findOne(StoreItem, { licenseId: ctx.licenseId });
    return {
      keyOf: () => '',
      refusals: {},

      stored: () =>
        stored === null
          ? undefined
          : {
              name: stored.name,
              currency: stored.currency,
              theme: stored.theme,
              terms: stored.terms ?? null,
            },

      check({ currency }) {
        if (priced !== null && priced.currency !== currency)
          throw new DomainError('currency_in_use', `The store already has prices in ${priced.currency}.`);
      },

      async apply(pending) {
        for (const { item } of pending) {
          if (stored === null) em.create(StoreConfig, { ...item, isEnabled: false });
          else em.assign(stored, { ...item, version: (stored.version ?? 0) + 1 });
        }
      },
    };
  },
});

export const storeCategoriesPart = (): MigrationPart<Category> => ({
  version: 1,
  max: maxCategories,
  permission: 'webstore.manage',

  async page(queries, last, count) {
    let found = queries
      .selectFrom('store_category')
      .select(['name', 'description', 'position'])
      .orderBy(inOrder)
      .limit(count);
    if (last !== undefined) found = found.where(inOrder, '>', last.name);
    return found.execute();
  },

  labelOf: ({ name }) => name,

  limit: ({ em, ctx }) => categoryLimit(em, ctx.licenseId),

  async open({ em }, items) {
    const stored = await em.find(
      StoreCategory,
      { name: { $in: items.map(({ name }) => name) } },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
    );
    const byName = new Map(stored.map((category) => [category.name, category]));
    return {
      keyOf: ({ name }) => name,
      refusals: {
        store_category_license_id_name_key: () =>
          new DomainError(
            'name_taken',
            'A category of this name was created during the import; start the import again.',
          ),
      },

      stored({ name }) {
        const category = byName.get(name);
        return category && { name, description: category.description ?? null, position: category.position };
      },

      check: () => undefined,

      async apply(pending) {
        for (const { item, isNew } of pending) {
          const category = byName.get(item.name);
          if (isNew || category === undefined) em.create(StoreCategory, item);
          else em.assign(category, { ...item, version: (category.version ?? 0) + 1 });
        }
      },
    };
  },
});

const inOrder = sql<string>`name collate "C"`;
