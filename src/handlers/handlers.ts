// The handler types of this platform's contract, and what every list shares.
import type { operations } from '../../generated/platform.d.ts';
import type { Ctx } from '../context.ts';
import type { Handlers as HandlersOf } from '../contract/operation.ts';
import type { Page } from '../lists/page.ts';

export type Handlers = HandlersOf<operations, Ctx>;

export function viewPage<Row, View>(
  { rows, nextCursor }: Page<Row>,
  view: (row: Row) => View,
): { data: View[]; next_cursor: string | null } {
  return { data: rows.map(view), next_cursor: nextCursor };
}
