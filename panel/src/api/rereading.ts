// Reads again what has changed, without interrupting readings that are under way.
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Changes that arrive together cause one reading. */
const gatherMs = 200;
/** The shortest pause between readings of a list of several pages. */
const minPauseMs = 1_000;

/** Set as `meta` of lists that are read to their end by themselves, page by page. */
export const readToEnd = { isReadToEnd: true };

/** Has the queries read again whose keys are concerned. */
export type Reread = (isConcerned: (key: QueryKey) => boolean) => void;

export interface Page {
  readonly visibilityState: string;
  addEventListener(type: 'visibilitychange', listener: () => void, options: { signal: AbortSignal }): void;
}

interface CacheEvent {
  type: string;
  query: Query;
  action?: { type: string; meta?: unknown };
}

/**
 * Returns a function that has queries read again. A reading that is under way may have begun before the change: it ends,
 * and one more follows. If it were restarted, a list that changes all the time would never be read to its end. A hidden
 * page reads when it is shown.
 */
export function rereader(queries: QueryClient, page: Page, signal: AbortSignal): Reread {
  const cache = queries.getQueryCache();
  const outdated = new Set<Query>();
  /** Outdated queries whose reading began after the change. */
  const covered = new WeakSet<Query>();
  const begins = new WeakMap<Query, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    const now = Date.now();
    const due = new Set(
      [...outdated].filter((query) => !isBeingRead(query) && now >= pauseEnd(query, begins.get(query))),
    );
    for (const query of due) outdated.delete(query);
    void queries.invalidateQueries({ predicate: (query) => due.has(query) });
    if ([...outdated].some((query) => !isBeingRead(query))) schedule();
  };
  const schedule = () => {
    if (page.visibilityState === 'visible') timer ??= setTimeout(run, gatherMs);
  };
  const unsubscribe = cache.subscribe(({ type, query, action }: CacheEvent) => {
    // A further page of a list is no reading of its former pages.
    if (action?.type === 'fetch' && (action.meta ?? null) === null) {
      begins.set(query, Date.now());
      covered.add(query);
    }
    if (!outdated.has(query)) return;
    const isRead = action?.type === 'success' && !isBeingRead(query) && covered.has(query);
    if (type === 'removed' || isRead) outdated.delete(query);
    else if (!isBeingRead(query)) schedule();
  });
  page.addEventListener('visibilitychange', () => outdated.size > 0 && schedule(), { signal });
  signal.addEventListener(
    'abort',
    () => {
      unsubscribe();
      clearTimeout(timer);
    },
    { once: true },
  );
  return (isConcerned) => {
    for (const query of cache.findAll({ predicate: ({ queryKey }) => isConcerned(queryKey) })) {
      outdated.add(query);
      covered.delete(query);
    }
    if (outdated.size > 0) schedule();
  };
}

const isBeingRead = (query: Query): boolean => query.state.fetchStatus !== 'idle' || hasPagesToCome(query);

/** Whether the page that shows the list is about to read its next page. */
function hasPagesToCome(query: Query): boolean {
  return (
    query.state.status !== 'error' &&
    typeof pagesOf(query).at(-1)?.next_cursor === 'string' &&
    query.observers.some(({ options: { meta, enabled } }) => meta === readToEnd && enabled !== false)
  );
}

/** Lists of several pages are read half of the time at most: each page is a request, and their number is limited. */
function pauseEnd(query: Query, begin: number | undefined): number {
  if (begin === undefined || pagesOf(query).length < 2) return 0;
  const { dataUpdatedAt, errorUpdatedAt } = query.state;
  const end = Math.max(dataUpdatedAt, errorUpdatedAt, begin);
  return end + Math.max(end - begin, minPauseMs);
}

const pagesOf = ({ state: { data } }: Query): { next_cursor: string | null }[] =>
  ((data ?? {}) as { pages?: { next_cursor: string | null }[] }).pages ?? [];
