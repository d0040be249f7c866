// The categories of a store's items.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../../context.ts';
import type { Query, Schemas } from '../../../platform-contract/types.ts';
import type { EntityManager } from '../../../database/connection.ts';
import { refusing } from '../../../database/faults.ts';
import type { Queries } from '../../../database/reader.ts';
import { StoreCategory } from '../../../entities/index.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { refuseBeyond, type Limit } from '../../../preconditions/limits.ts';
import { byId, pageOf } from '../../../lists/page.ts';
import { refuseStale } from '../../../preconditions/version.ts';

export const maxCategories = 100;

export type CategoryRow = Awaited<ReturnType<typeof categoryOf>>;

export class StoreCategories {
  async list(ctx: Ctx, query: Query<'listStoreCategories'>) {
    return ctx.read((queries) => pageOf(categories(queries), query, byId('id', 'asc')));
  }

  async get(ctx: Ctx, id: string): Promise<CategoryRow> {
    return ctx.read((queries) => categoryOf(queries, id));
  }

  async create(ctx: Ctx, input: Schemas['StoreCategoryReplace']): Promise<CategoryRow> {
    return ctx.transact(async (em, queries) => {
      await refuseBeyond(em, categoryLimit(em, ctx.licenseId));
      const category = em.create(StoreCategory, input);
      await flushNamed(em, category);
      return categoryOf(queries, category.id);
    });
  }

  async replace(
    ctx: Ctx,
    id: string,
    expectedVersions: readonly number[] | null,
    input: Schemas['StoreCategoryReplace'],
  ): Promise<CategoryRow> {
    return ctx.transact(async (em, queries) => {
      const category = await lockedCategory(em, id, expectedVersions);
      em.assign(category, { ...input, version: category.version + 1 });
      await flushNamed(em, category);
      return categoryOf(queries, id);
    });
  }

  async delete(ctx: Ctx, id: string, expectedVersions: readonly number[] | null): Promise<void> {
    await ctx.transact(async (em) => {
      em.remove(await lockedCategory(em, id, expectedVersions));
    });
  }
}

/** The maximum number of categories in a store. */
export const categoryLimit = (em: EntityManager, licenseId: string): Limit => ({
  subject: `store categories ${licenseId}`,
  max: maxCategories,
  count: () => em.count(StoreCategory),
  detail: `A store has at most ${maxCategories} categories.`,
});

async function lockedCategory(
  em: EntityManager,
  id: string,
  expectedVersions: readonly number[] | null,
): Promise<StoreCategory> {
  const category = await em.findOne(StoreCategory, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (category === null) throw notFound('category');
  refuseStale(category, expectedVersions);
  return category;
}

function categories(queries: Queries) {
  return queries
    .selectFrom('store_category')
    .select((eb) => [
      'id',
      'name',
      'description',
      'position',
      'version',
      'created_at',
      eb
        .selectFrom('store_item')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('store_item.category_id', '=', 'store_category.id')
        .as('item_count'),
    ]);
}

async function categoryOf(queries: Queries, id: string) {
  const category = await categories(queries).where('id', '=', id).executeTakeFirst();
  if (category === undefined) throw notFound('category');
  return category;
}

function flushNamed(em: EntityManager, { name }: StoreCategory): Promise<void> {
  return refusing(
    {
      store_category_license_id_name_key: () =>
        new DomainError('name_taken', `A category named ${name} already exists.`),
    },
    () => em.flush(),
  );
}
