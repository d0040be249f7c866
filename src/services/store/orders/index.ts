// Orders of a store as its license reads them: paginated, or exported as a table.
import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';
import type { Query } from '../../../platform-contract/types.ts';
import type { Queries } from '../../../database/reader.ts';
import { notFound } from '../../../errors.ts';
import type { AccessRequirement, LastingAccess } from '../../auth/access-recheck.ts';
import { createdWithin } from '../../../lists/filters.ts';
import { byId, everyRow, pageOf, refuseMoreThan, type Page, type PageQuery } from '../../../lists/page.ts';

/** Maximum orders per export. */
const maxExported = 100_000;

type Filter = Query<'listStoreOrders'>;

export interface LineRow {
  item_id: string | null;
  item_name: string;
  quantity: number;
  unit_minor: number;
}

export type TransactionRow = Awaited<ReturnType<typeof transactionOf>>;
export type TransactionDetailRow = Awaited<ReturnType<StoreTransactions['get']>>;
export type Transactions = Page<TransactionRow> | AsyncIterable<TransactionRow>;

const viewers: AccessRequirement = { scheme: 'bearerAuth', permissions: ['webstore.view'] };

export class StoreTransactions {
  readonly #access: LastingAccess;

  constructor(access: LastingAccess) {
    this.#access = access;
  }

  /** Returns a page of orders, or every matching order for as long as the caller has access. */
  async list(ctx: Ctx, query: Filter, extent: 'page' | 'everything'): Promise<Transactions> {
    if (extent === 'page') return ctx.read((queries) => pageOf(matching(queries, query), query, newest));
    await ctx.readLagging((queries) =>
      refuseMoreThan(maxExported, matching(queries, query), query.cursor, newest),
    );
    const readPage = async (page: PageQuery) => {
      await this.#access.refuseEnded(ctx, viewers);
      return ctx.readLagging((queries) => pageOf(matching(queries, query), page, newest));
    };
    return everyRow(readPage, query.cursor, maxExported);
  }

  async get(ctx: Ctx, id: string) {
    return ctx.read(async (queries) => {
      const transaction = await transactionOf(queries, id);
      const receipt = await queries
        .selectFrom('store_order')
        .select(['receipt_email', 'receipt_status', 'receipt_at'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const events = await queries
        .selectFrom('store_payment_event')
        .select(['event_id', 'kind', 'amount_minor', 'currency', 'outcome', 'received_at'])
        .where('order_id', '=', id)
        .orderBy('id')
        .execute();
      return { ...transaction, receipt, events };
    });
  }
}

const newest = byId<{ id: string }>('bought.id', 'desc');

/** The lines of each order, oldest first. */
export const linesOf = sql<LineRow[]>`coalesce((
  select jsonb_agg(jsonb_build_object('item_id', line.item_id, 'item_name', line.item_name,
    'quantity', line.quantity, 'unit_minor', line.unit_minor) order by line.id)
  from store_order_line as line where line.license_id = bought.license_id and line.order_id = bought.id), '[]')`;

function transactions(queries: Queries) {
  return queries
    .selectFrom('store_order as bought')
    .select([
      'bought.id',
      'bought.status',
      'bought.steam_id',
      'bought.player_name',
      'bought.provider',
      'bought.is_test',
      'bought.currency',
      'bought.total_minor',
      'bought.refunded_minor',
      'bought.payment_reference',
      'bought.problem',
      'bought.created_at',
      'bought.expires_at',
      'bought.paid_at',
      linesOf.as('lines'),
    ]);
}

function matching(queries: Queries, query: Filter) {
  let found = transactions(queries).where(createdWithin('bought.created_at', query));
  if (query.status !== undefined) found = found.where('bought.status', '=', query.status);
  if (query.steam_id !== undefined) found = found.where('bought.steam_id', '=', query.steam_id);
  if (query.item_id !== undefined)
    found = found.where(
      sql<boolean>`exists (select from store_order_line as line where line.license_id = bought.license_id
        and line.order_id = bought.id and line.item_id = ${query.item_id})`,
    );
  return found;
}

async function transactionOf(queries: Queries, id: string) {
  const transaction = await transactions(queries).where('bought.id', '=', id).executeTakeFirst();
  if (transaction === undefined) throw notFound('order');
  return transaction;
}

/** Lines as text: "2 VIP, 1 Kit". */
export const inWords = (lines: readonly Pick<LineRow, 'quantity' | 'item_name'>[]): string =>
  lines.map(({ quantity, item_name }) => `${quantity} ${item_name}`).join(', ');
