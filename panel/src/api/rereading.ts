// Reads again what has changed, without interrupting readings that are under way.
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Changes that arrive together cause one reading. */
const gatherMs = 200;

/** Set as `meta` of lists that are read to their end by themselves, page by page. */
export const readToEnd = { isReadToEnd: true };

/** Has the queries read again whose keys are concerned. */
export type Reread = (isConcerned: (key: QueryKey) => boolean) => void;

/**
 * Returns a function that has queries read again. A reading that is under way may have begun before the change: it ends,
 * and one more follows. If it were restarted, a list that changes all the time would never be read to its end.
 */
export function rereader(queries: QueryClient, signal: AbortSignal): Reread {
  const cache = queries.getQueryCache();
  const outdated = new Set<Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    const due = new Set([...outdated].filter((query) => !isBeingRead(query)));
    for (const query of due) outdated.delete(query);
    void queries.invalidateQueries({ predicate: (query) => due.has(query) });
  };
  const schedule = () => (timer ??= setTimeout(run, gatherMs));
  const unsubscribe = cache.subscribe(({ type, query }: { type: string; query: Query }) => {
    if (!outdated.has(query)) return;
    if (type === 'removed') outdated.delete(query);
    else if (!isBeingRead(query)) schedule();
  });
  signal.addEventListener(
    'abort',
    () => {
      unsubscribe();
      clearTimeout(timer);
    },
    { once: true },
  );
  return (isConcerned) => {
    for (const query of cache.findAll({ predicate: ({ queryKey }) => isConcerned(queryKey) }))
      outdated.add(query);
    if (outdated.size > 0) schedule();
  };
}

const isBeingRead = (query: Query): boolean => query.state.fetchStatus !== 'idle' || hasPagesToCome(query);

/** Whether the page that shows the list is about to read its next page. */
function hasPagesToCome({ observers, state: { data, status } }: Query): boolean {
  const { pages } = (data ?? {}) as { pages?: { next_cursor: string | null }[] };
  return (
    status !== 'error' &&
    typeof pages?.at(-1)?.next_cursor === 'string' &&
    observers.some(({ options: { meta, enabled } }) => meta === readToEnd && enabled !== false)
  );
}
