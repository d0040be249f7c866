// The handler types of the platform's contract, and what all lists share.
import type { operations } from '../../generated/platform.d.ts';
import type { Ctx } from '../context.ts';
import type { Handlers as HandlersOf } from '../contract/operation.ts';
import type { Page } from '../lists/page.ts';
import type { Services } from '../services/index.ts';

/** What a handler gets: the caller with scoped database access, and the services. */
export type HandlerContext = Ctx & { readonly services: Services };

export type Handlers = HandlersOf<operations, HandlerContext>;

export function viewPage<Row, View>(
  { rows, nextCursor }: Page<Row>,
  view: (row: Row) => View,
): { data: View[]; next_cursor: string | null } {
  return { data: rows.map(view), next_cursor: nextCursor };
}
