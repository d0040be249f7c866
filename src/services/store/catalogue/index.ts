// The items of a store: prices, limits, required items, and how they are delivered.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';
import type { Query, Schemas } from '../../../platform-contract/types.ts';
import type { EntityManager } from '../../../database/connection.ts';
import { refusing } from '../../../database/faults.ts';
import type { Queries } from '../../../database/reader.ts';
import { StoreItem, StoreItemInstance, StoreItemRequirement } from '../../../entities/index.ts';
import { DomainError, invalidField, notFound } from '../../../errors.ts';
import { decimalsOf, isChargeable, minorOf } from '../../../payments/money.ts';
import { refuseBeyond, type Limit } from '../../../preconditions/limits.ts';
import { byId, pageOf } from '../../../lists/page.ts';
import { refuseBeyondOwn } from '../../team/access.ts';
import { currencyOf, lockStore } from '../settings/index.ts';
import { counting } from './counted-orders.ts';
import { refuseStale } from '../../../preconditions/version.ts';
import { templateFault } from '../../../text/command-templates.ts';

export const maxItems = 1_000;
/** Maximum items named in a refusal. */
const maxNamed = 5;

export type ItemRow = Awaited<ReturnType<typeof itemOf>>;
type Input = Schemas['StoreItemReplace'];

export class StoreItems {
  async list(ctx: Ctx, query: Query<'listStoreItems'>) {
    return ctx.read((queries) => {
      let found = items(queries);
      if (query.category_id !== undefined) found = found.where('category_id', '=', query.category_id);
      return pageOf(found, query, byId('id', 'asc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<ItemRow> {
    return ctx.read((queries) => itemOf(queries, id));
  }

  async create(ctx: Ctx, input: Input): Promise<ItemRow> {
    return ctx.transact(async (em, queries) => {
      refuseBeyondOwn(ctx.license.permissions, { 'console.input': true });
      await lockStore(em, ctx.licenseId);
      await refuseBeyond(em, itemLimit(em, ctx.licenseId));
      await refuseUnknown(queries, input);
      const item = em.create(StoreItem, await columnsOf(queries, input));
      await flushNamed(em, item);
      await relate(em, item.id, input);
      return itemOf(queries, item.id);
    });
  }

  async replace(
    ctx: Ctx,
    id: string,
    expectedVersions: readonly number[] | null,
    input: Input,
  ): Promise<ItemRow> {
    return ctx.transact(async (em, queries) => {
      await lockStore(em, ctx.licenseId);
      const item = await lockedItem(em, id, expectedVersions);
      const before = await itemOf(queries, id);
      if (reaches(before) !== reaches(input))
        refuseBeyondOwn(ctx.license.permissions, { 'console.input': true });
      if (input.required_item_ids.includes(id))
        throw invalidField({
          in: 'body',
          pointer: '/required_item_ids',
          detail: 'must not name the item itself',
        });
      await refuseUnknown(queries, input);
      await refuseCircle(em, id, input.required_item_ids);
      em.assign(item, { ...(await columnsOf(queries, input)), version: item.version + 1 });
      await flushNamed(em, item);
      await unrelate(em, id);
      await relate(em, id, input);
      return itemOf(queries, id);
    });
  }

  async delete(ctx: Ctx, id: string, expectedVersions: readonly number[] | null): Promise<void> {
    await ctx.transact(async (em, queries) => {
      await lockStore(em, ctx.licenseId);
      const item = await lockedItem(em, id, expectedVersions);
      await refuseNeeded(queries, id);
      em.remove(item);
    });
  }
}

/** The maximum number of items in a store. */
export const itemLimit = (em: EntityManager, licenseId: string): Limit => ({
  subject: `store items ${licenseId}`,
  max: maxItems,
  count: () => em.count(StoreItem),
  detail: `A store has at most ${maxItems} items.`,
});

/** A key of the commands and their instances, for detecting changes. */
const reaches = (item: Pick<Input, 'delivery_commands' | 'revoke_commands' | 'instance_ids'>) =>
  JSON.stringify([item.delivery_commands, item.revoke_commands, item.instance_ids.toSorted()]);

/** Rows of other licenses count as not found; this is checked before other faults of the item. */
async function refuseUnknown(queries: Queries, input: Input): Promise<void> {
  const count = async (table: 'game_instance' | 'store_category' | 'store_item', ids: readonly string[]) =>
    ids.length === 0
      ? 0
      : (await queries.selectFrom(table).select('id').where('id', 'in', ids).execute()).length;
  const { category_id: categoryId, instance_ids: instances, required_item_ids: required } = input;
  if (categoryId !== null && (await count('store_category', [categoryId])) === 0) throw notFound('category');
  if ((await count('game_instance', instances)) < instances.length) throw notFound('instance');
  if ((await count('store_item', required)) < required.length) throw notFound('item');
}

/** Refuses items that require each other: a buyer who owns neither could only buy them together. */
async function refuseCircle(em: EntityManager, id: string, required: readonly string[]): Promise<void> {
  const [needed] = await em.execute<{ id: string }[]>(
    `with recursive needed (id) as (
       select unnest(?::uuid[])
       union select need.required_item_id from needed join store_item_requirement as need on need.item_id = needed.id
     ) select id from needed where id = ?`,
    [`{${required.join(',')}}`, id],
  );
  if (needed !== undefined)
    throw invalidField({
      in: 'body',
      pointer: '/required_item_ids',
      detail: 'must not name an item that requires this item',
    });
}

/** Deleting the item would drop the requirement, and items that require it would be sold to every buyer. */
async function refuseNeeded(queries: Queries, id: string): Promise<void> {
  const needing = await queries
    .selectFrom('store_item_requirement as need')
    .innerJoin('store_item as item', 'item.id', 'need.item_id')
    .select('item.name')
    .where('need.required_item_id', '=', id)
    .orderBy('item.name')
    .limit(maxNamed)
    .execute();
  if (needing.length === 0) return;
  const names = needing.map(({ name }) => name).join(', ');
  throw new DomainError(
    'item_in_use',
    `Other items require this one: ${names}. Change or delete them first.`,
  );
}

/** The columns for the input, in the store's currency. */
async function columnsOf(queries: Queries, input: Input) {
  refuseBadTemplates('delivery_commands', input.delivery_commands);
  refuseBadTemplates('revoke_commands', input.revoke_commands);
  const currency = await currencyOf(queries);
  return {
    name: input.name,
    description: input.description,
    imageUrl: input.image_url,
    categoryId: input.category_id,
    position: input.position,
    priceMinor: priceOf(input.price, currency),
    currency,
    isEnabled: input.is_enabled,
    limitPerPlayer: input.limit_per_player,
    limitTotal: input.limit_total,
    deliveryCommands: input.delivery_commands,
    revokeCommands: input.revoke_commands,
    needsOnlinePlayer: input.needs_online_player,
    repeatsAfterWipe: input.repeats_after_wipe,
    deliveryDays: input.delivery_days,
  };
}

export function priceOf(price: string, currency: Schemas['StoreCurrency']): number {
  const minor = minorOf(price, currency);
  if (minor !== undefined && isChargeable(minor, currency)) return minor;
  const places = decimalsOf(currency);
  const detail =
    minor === undefined
      ? `has not the ${places} decimals of ${currency}`
      : `cannot be charged in ${currency}`;
  throw invalidField({ in: 'body', pointer: '/price', detail });
}

/** Deletes the item's requirements and its instances. */
export async function unrelate(em: EntityManager, itemId: string): Promise<void> {
  await em.nativeDelete(StoreItemRequirement, { itemId });
  await em.nativeDelete(StoreItemInstance, { itemId });
}

export async function relate(
  em: EntityManager,
  itemId: string,
  { required_item_ids, instance_ids }: Pick<Input, 'required_item_ids' | 'instance_ids'>,
): Promise<void> {
  for (const requiredItemId of required_item_ids) em.create(StoreItemRequirement, { itemId, requiredItemId });
  for (const instanceId of instance_ids) em.create(StoreItemInstance, { itemId, instanceId });
  await refusing(
    {
      store_item_requirement_license_id_required_item_id_fkey: () => notFound('item'),
      store_item_instance_license_id_instance_id_fkey: () => notFound('instance'),
    },
    () => em.flush(),
  );
}

async function lockedItem(
  em: EntityManager,
  id: string,
  expectedVersions: readonly number[] | null,
): Promise<StoreItem> {
  const item = await em.findOne(StoreItem, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (item === null) throw notFound('item');
  refuseStale(item, expectedVersions);
  return item;
}

function items(queries: Queries) {
  return queries.selectFrom('store_item as item').select([
    'item.id',
    'item.name',
    'item.description',
    'item.image_url',
    'item.category_id',
    'item.position',
    'item.price_minor',
    'item.currency',
    'item.is_enabled',
    'item.limit_per_player',
    'item.limit_total',
    'item.delivery_commands',
    'item.revoke_commands',
    'item.needs_online_player',
    'item.repeats_after_wipe',
    'item.delivery_days',
    'item.version',
    'item.created_at',
    sql<string[]>`array(select required_item_id from store_item_requirement as need
        where need.license_id = item.license_id and need.item_id = item.id order by 1)`.as(
      'required_item_ids',
    ),
    sql<string[]>`array(select instance_id from store_item_instance as target
        where target.license_id = item.license_id and target.item_id = item.id order by 1)`.as(
      'instance_ids',
    ),
    sql<number>`(select coalesce(sum(line.quantity), 0)::int from store_order_line as line
        join store_order as bought on bought.license_id = line.license_id and bought.id = line.order_id
        where line.license_id = item.license_id and line.item_id = item.id and ${counting('bought')})`.as(
      'sold_count',
    ),
  ]);
}

async function itemOf(queries: Queries, id: string) {
  const item = await items(queries).where('item.id', '=', id).executeTakeFirst();
  if (item === undefined) throw notFound('item');
  return item;
}

function flushNamed(em: EntityManager, { name }: StoreItem): Promise<void> {
  return refusing(
    {
      store_item_license_id_name_key: () =>
        new DomainError('name_taken', `An item named ${name} already exists.`),
      store_item_license_id_category_id_fkey: () => notFound('category'),
    },
    () => em.flush(),
  );
}

/** The placeholders that an agent fills in. */
const placeholders = ['steam_id', 'player_name', 'item_name', 'quantity', 'transaction_id'] as const;

/** Throws if a command has an unknown placeholder or an unclosed quote. */
export function refuseBadTemplates(field: string, commands: readonly string[]): void {
  for (const [index, command] of commands.entries()) {
    const fault = templateFault(command, placeholders);
    if (fault !== null) throw invalidField({ in: 'body', pointer: `/${field}/${index}`, detail: fault });
  }
}
