// The public view of a store, cached for a few seconds regardless of the number of requests.
import { LRUCache } from 'lru-cache';
import { sql } from 'kysely';
import type { Schemas } from '../../../platform-contract/types.ts';
import { SharedReply } from '../../../results/results.ts';
import type { PlatformScope } from '../../../database/platform-scope.ts';
import type { Queries } from '../../../database/reader.ts';
import { notFound } from '../../../errors.ts';
import { counting, ownsUnits } from '../catalogue/counted-orders.ts';
import { isOpen } from '../settings/openness.ts';

export type StoreRow = Awaited<ReturnType<typeof storeOf>>;
export type CategoryRow = Awaited<ReturnType<typeof categoriesOf>>[number];
export type ShownItemRow = Awaited<ReturnType<typeof itemsOf>>[number];

export interface ShownStore extends StoreRow {
  categories: CategoryRow[];
}

export const keptSeconds = 5;
const maxKept = { max: 1_000, maxSize: 32 * 1024 * 1024 };
/** The maximum number of items in a store. */
const maxShown = 1_000;

/** Caches the shared response; concurrent requests during a computation wait for the same result. */
class Showcase<Row, Body> {
  readonly #replies: LRUCache<string, SharedReply<Body>, (row: Row) => Body>;

  /** The rows that `read` returns may be `maxLagMs` old. */
  constructor(maxLagMs: number, read: (subdomain: string) => Promise<Row>) {
    this.#replies = new LRUCache({
      ...maxKept,
      ttl: keptSeconds * 1000 - maxLagMs,
      ignoreFetchAbort: true,
      allowStaleOnFetchAbort: true,
      sizeCalculation: ({ content }: SharedReply<Body>) => content.plain.length,
      fetchMethod: async (subdomain, _stale, { context: view }) =>
        new SharedReply(view(await read(subdomain)), keptSeconds),
    });
  }

  get(subdomain: string, view: (row: Row) => Body): Promise<SharedReply<Body>> {
    return this.#replies.forceFetch(subdomain, { context: view });
  }
}

export class PublicStores {
  readonly #platform: PlatformScope;
  readonly #allowsSandbox: boolean;
  readonly #stores: Showcase<ShownStore, Schemas['PublicStore']>;
  readonly #items: Showcase<ShownItemRow[], Schemas['PublicStoreItemList']>;

  constructor(platform: PlatformScope, allowsSandbox: boolean) {
    this.#platform = platform;
    this.#allowsSandbox = allowsSandbox;
    this.#stores = new Showcase(platform.maxLagMs, (subdomain) =>
      this.#readLagging(subdomain, async (queries, store) => ({
        ...store,
        categories: await categoriesOf(queries, store.license_id),
      })),
    );
    this.#items = new Showcase(platform.maxLagMs, (subdomain) =>
      this.#readLagging(subdomain, (queries, store) => itemsOf(queries, store)),
    );
  }

  async get(subdomain: string, view: (store: ShownStore) => Schemas['PublicStore']) {
    return this.#stores.get(subdomain, view);
  }

  async listItems(subdomain: string, view: (items: ShownItemRow[]) => Schemas['PublicStoreItemList']) {
    return this.#items.get(subdomain, view);
  }

  /** The store of that subdomain, if it is open. */
  find(subdomain: string): Promise<StoreRow> {
    return this.#platform.read('public', (queries) => storeOf(queries, subdomain, this.#allowsSandbox));
  }

  /** Also resolves former subdomains of the license: checkouts opened before a rename still use them. */
  licenseOf(subdomain: string): Promise<string | undefined> {
    return this.#platform.read('public', async (queries) => {
      const license = await queries
        .selectFrom('license')
        .select('id')
        .where('subdomain', '=', subdomain)
        .executeTakeFirst();
      if (license !== undefined) return license.id;
      const former = await queries
        .selectFrom('former_subdomain')
        .select('license_id')
        .where('subdomain', '=', subdomain)
        .executeTakeFirst();
      return former?.license_id;
    });
  }

  /** The current subdomain of the license that formerly had this one. */
  async successorOf(subdomain: string): Promise<string | undefined> {
    return this.#platform.read('public', async (queries) => {
      const license = await queries
        .selectFrom('former_subdomain as former')
        .innerJoin('license', 'license.id', 'former.license_id')
        .select('license.subdomain')
        .where('former.subdomain', '=', subdomain)
        .where('license.status', '=', 'active')
        .executeTakeFirst();
      return license?.subdomain;
    });
  }

  #readLagging<T>(subdomain: string, work: (queries: Queries, store: StoreRow) => Promise<T>): Promise<T> {
    return this.#platform.readLagging('public', async (queries) =>
      work(queries, await storeOf(queries, subdomain, this.#allowsSandbox)),
    );
  }
}

async function storeOf(queries: Queries, subdomain: string, allowsSandbox: boolean) {
  const store = await queries
    .selectFrom('license')
    .innerJoin('store_config as config', 'config.license_id', 'license.id')
    .select([
      'license.id as license_id',
      'license.subdomain',
      'config.name',
      'config.currency',
      'config.theme',
      'config.terms',
      'config.provider',
      sql<boolean>`config.provider = 'sandbox' or coalesce((select account.is_test from store_account as account
        where account.license_id = config.license_id and account.provider = config.provider and account.retired_at is null), false)`.as(
        'is_test',
      ),
    ])
    .where('license.subdomain', '=', subdomain)
    .where('license.status', '=', 'active')
    .where(isOpen(allowsSandbox))
    .executeTakeFirst();
  if (store === undefined) throw notFound('store');
  return store;
}

function categoriesOf(queries: Queries, licenseId: string) {
  return queries
    .selectFrom('store_category')
    .select(['id', 'name', 'description'])
    .where('license_id', '=', licenseId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Units of the item that orders have taken; not counted for items without a limit. */
const takenUnits = () =>
  sql<{ sold: number; held: number }>`(
    select coalesce(sum(line.quantity) filter (where ${ownsUnits('bought')}), 0)::int as sold,
      coalesce(sum(line.quantity) filter (where not ${ownsUnits('bought')}), 0)::int as held
    from store_order_line as line
    join store_order as bought on bought.license_id = line.license_id and bought.id = line.order_id
    where item.limit_total is not null and line.license_id = item.license_id and line.item_id = item.id
      and ${counting('bought')})`;

function itemsOf(queries: Queries, { license_id, currency }: StoreRow) {
  return queries
    .selectFrom('store_item as item')
    .innerJoinLateral(takenUnits().as('taken'), (join) => join.onTrue())
    .select([
      'item.id',
      'item.name',
      'item.description',
      'item.image_url',
      'item.category_id',
      'item.price_minor',
      'item.currency',
      'item.limit_per_player',
      'item.needs_online_player',
      'item.limit_total',
      'taken.sold',
      'taken.held',
      sql<string[]>`array(select required_item_id from store_item_requirement as need
        where need.license_id = item.license_id and need.item_id = item.id order by 1)`.as(
        'required_item_ids',
      ),
    ])
    .where('item.license_id', '=', license_id)
    .where('item.is_enabled', '=', true)
    .where('item.currency', '=', currency)
    .orderBy('item.position')
    .orderBy('item.id')
    .limit(maxShown)
    .execute();
}
