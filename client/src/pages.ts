// Iterates asynchronously over a list of any length, page by page.
import type { paths } from '../../generated/platform.published.d.ts';
import type { Init } from '../../shared/typed-fetch.ts';

interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** The entry type of a list's pages; `never` for paths that are not lists. */
type ItemOf<Item> = Item extends {
  get: { responses: { 200: { content: { 'application/json': Page<infer Entry> } } } };
}
  ? Entry
  : never;

/** The paths whose GET returns pages. */
export type ListPath = {
  [Path in keyof paths]: ItemOf<paths[Path]> extends never ? never : Path;
}[keyof paths];

export type ListInit<Path extends ListPath> = Init<paths, Path, 'get'>;

export type Entry<Path extends ListPath> = ItemOf<paths[Path]>;

/** Yields every entry; the query may contain `limit` and a start position. */
export async function* entriesOf<Path extends ListPath>(
  read: (query: Record<string, unknown>) => Promise<unknown>,
  query: Record<string, unknown> = {},
): AsyncGenerator<Entry<Path>, void, undefined> {
  let next: { cursor?: string } | undefined = {};
  while (next !== undefined) {
    const { data, next_cursor } = (await read({ limit: 100, ...query, ...next })) as Page<Entry<Path>>;
    yield* data;
    next = next_cursor === null ? undefined : { cursor: next_cursor };
  }
}
