// Keyset pages: a stable order by id, and a cursor that names the last row seen.
import type { SelectQueryBuilder } from 'kysely';
import { invalidField } from '../errors.ts';
import type { Tables } from '../entities/index.ts';

export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

export interface PageQuery {
  limit?: number;
  cursor?: string;
}

export const defaultLimit = 25;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A page of rows ordered by their `id`, which for UUIDs of version 7 is the order in which they were made. */
export async function pageOf<Table extends keyof Tables, Row extends { id: string }>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { limit = defaultLimit, cursor }: PageQuery,
  direction: 'asc' | 'desc',
): Promise<Page<Row>> {
  let page = query.orderBy('id' as never, direction).limit(limit + 1);
  if (cursor !== undefined) {
    page = page.where('id' as never, direction === 'asc' ? '>' : '<', idOf(cursor) as never);
  }
  return cut(await page.execute(), limit, (row) => cursorOf(row.id));
}

/** Takes the one row too many off, which only says that there is a next page. */
export function cut<Row>(rows: Row[], limit: number, cursorOfRow: (row: Row) => string): Page<Row> {
  if (rows.length <= limit) return { rows, nextCursor: null };
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return { rows: kept, nextCursor: last === undefined ? null : cursorOfRow(last) };
}

export const cursorOf = (key: string) => Buffer.from(key).toString('base64url');

export const textOfCursor = (cursor: string) => Buffer.from(cursor, 'base64url').toString();

export const badCursor = () =>
  invalidField({ in: 'query', pointer: '/cursor', detail: 'is not a cursor of this list' });

function idOf(cursor: string): string {
  const id = textOfCursor(cursor);
  if (!uuid.test(id)) throw badCursor();
  return id;
}
