// Keyset pages: a stable order by one column, and a cursor that names the last row seen.
import { sql, type SelectQueryBuilder } from 'kysely';
import { formats, isTime } from '../values/formats.ts';
import { DomainError, invalidField } from '../errors.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** A column that orders a list. Its values are unique within the list. */
export interface Order<Row> {
  /** `table.column`, or its alias in the query. */
  column: string;
  direction: 'asc' | 'desc';
  keyOf: (row: Row) => string;
  /** Whether a cursor's value is valid for the column. */
  isKey: (key: string) => boolean;
}

const defaultLimit = 25;

/** By id; UUIDs of version 7 sort by creation time. */
export function byId<Row extends { id: string }>(column: string, direction: 'asc' | 'desc'): Order<Row> {
  return { column, direction, keyOf: ({ id }) => id, isKey: (key) => formats.uuid(key) };
}

/** By a timestamp that is stored in milliseconds. */
export function byTime<Row>(
  column: string,
  direction: 'asc' | 'desc',
  keyOf: (row: Row) => string,
): Order<Row> {
  return { column, direction, keyOf, isKey: isTime };
}

/** Returns one page of the query's rows. */
export async function pageOf<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  page: PageQuery,
  order: Order<NoInfer<Row>>,
): Promise<Page<Row>> {
  return pageFrom(page, order, (key, count) =>
    rowsAfter(query, key, order).orderBy(sql.ref(order.column), order.direction).limit(count).execute(),
  );
}

/** Returns one page of rows that `read` finds: at most so many, in that order, after the given key. */
export async function pageFrom<Row>(
  { limit = defaultLimit, cursor }: PageQuery,
  order: Omit<Order<Row>, 'column' | 'direction'>,
  read: (key: string | undefined, count: number) => Promise<Row[]>,
): Promise<Page<Row>> {
  const rows = await read(keyIn(cursor, order), limit + 1);
  // The extra row only shows that there is a next page.
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { rows: kept, nextCursor: hasMore ? encodeCursor(order.keyOf(last)) : null };
}

function keyIn(cursor: string | undefined, { isKey }: Pick<Order<never>, 'isKey'>): string | undefined {
  if (cursor === undefined) return undefined;
  const key = decodeCursor(cursor);
  if (key === undefined || !isKey(key)) throw badCursor();
  return key;
}

function rowsAfter<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  key: string | undefined,
  { column, direction }: Order<NoInfer<Row>>,
): SelectQueryBuilder<Database, Table, Row> {
  return key === undefined ? query : query.where(sql.ref(column), direction === 'asc' ? '>' : '<', key);
}

const maxAtOnce = 1_000;

/** Throws `export_too_large` if more than `most` rows follow the cursor. */
export async function refuseMoreThan<Database, Table extends keyof Database, Row>(
  max: number,
  query: SelectQueryBuilder<Database, Table, Row>,
  cursor: string | undefined,
  order: Order<NoInfer<Row>>,
): Promise<void> {
  const beyond = await rowsAfter(query, keyIn(cursor, order), order)
    .orderBy(sql.ref(order.column), order.direction)
    .offset(max)
    .limit(1)
    .execute();
  if (beyond.length > 0) throw tooMany(max);
}

/** Yields every row after the cursor, page by page; throws `export_too_large` after `most` rows. */
export async function* everyRow<Row>(
  read: (query: PageQuery) => Promise<Page<Row>>,
  start: string | undefined,
  max: number,
): AsyncGenerator<Row, void> {
  let cursor = start;
  for (let left = max; left > 0;) {
    const { rows, nextCursor } = await read({
      limit: Math.min(left, maxAtOnce),
      ...(cursor !== undefined && { cursor }),
    });
    yield* rows;
    if (nextCursor === null) return;
    left -= rows.length;
    cursor = nextCursor;
  }
  throw tooMany(max);
}

const tooMany = (max: number) =>
  new DomainError(
    'export_too_large',
    `More than ${max.toLocaleString('en')} entries match; narrow the filter, for one by time.`,
  );

export const badCursor = () =>
  invalidField({ in: 'query', pointer: '/cursor', detail: 'is not a cursor of this list' });
