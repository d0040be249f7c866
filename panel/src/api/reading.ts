// Reads operations of the contract as queries, whose keys are the path and its parameters.
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type QueryKey,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { withBackOff } from './back-off.ts';
import { client } from './client.ts';
import type { Entry, ListPath, ReadInit, ReadPath, Reply } from './operations.ts';
import { readToEnd } from './rereading.ts';

export interface ReadOptions {
  /** Without it, nothing is requested. */
  enabled?: boolean;
  /** Milliseconds between readings while the tab is visible; for figures that no event announces. */
  every?: number | false;
  /** Keeps the former data while a changed filter loads. */
  keepsFormer?: boolean;
}

interface AnyInit {
  params?: { path?: object; query?: Record<string, unknown> };
}

type AnyRead = (path: string, init: object) => Promise<{ data: unknown; response: Response }>;

const get = client.GET as unknown as AnyRead;

/** Required parameters make the second argument required. */
type Rest<Given, Options = ReadOptions> = object extends Given
  ? [init?: Given, options?: Options]
  : [init: Given, options?: Options];

export function keyOf(path: string, init: AnyInit | undefined): QueryKey {
  return [path, init?.params ?? {}];
}

/** Reads once, for what is neither a query of one operation nor a list. */
export const read = async <Path extends ReadPath>(
  path: Path,
  init: ReadInit<Path>,
  signal: AbortSignal,
): Promise<Reply<Path>> => (await get(path, { ...init, signal })).data as Reply<Path>;

/** The query of one operation, for loaders and for `useQuery`. */
export const reading = <Path extends ReadPath>(path: Path, ...[init]: Rest<ReadInit<Path>>) =>
  queryOptions({
    queryKey: keyOf(path, init as AnyInit | undefined),
    queryFn: async ({ signal }) => (await get(path, { ...init, signal })).data as Reply<Path>,
  });

interface ReadOneOptions<Data> extends ReadOptions {
  /** Like `every`, by what was read. */
  everyFor?: (data: Data) => number | false;
}

export const useRead = <Path extends ReadPath>(
  path: Path,
  ...[init, options]: Rest<ReadInit<Path>, ReadOneOptions<Reply<Path>>>
) =>
  useQuery({
    ...reading(path, ...([init] as unknown as Rest<ReadInit<Path>>)),
    ...settingsOf(options),
    ...intervalBy(options?.everyFor),
  });

const intervalBy = <Data>(everyFor: ReadOneOptions<Data>['everyFor']) =>
  everyFor !== undefined && {
    refetchInterval: ({
      state,
    }: {
      state: { data: Data | undefined; status: string; dataUpdatedAt: number };
    }) => {
      const every = state.data !== undefined && everyFor(state.data);
      return every && withBackOff(every)({ state });
    },
  };

/** Reads a document that people edit, with the version for `If-Match`. */
export const useDocument = <Path extends ReadPath>(path: Path, ...[init, options]: Rest<ReadInit<Path>>) =>
  useQuery({
    queryKey: [...keyOf(path, init as AnyInit | undefined), 'document'],
    queryFn: async ({ signal }) => {
      const { data, response } = await get(path, { ...init, signal });
      return { document: data as Reply<Path>, version: response.headers.get('ETag') ?? '' };
    },
    ...settingsOf(options),
  });

function settingsOf({ enabled, every, keepsFormer }: ReadOptions = {}) {
  return {
    ...(enabled !== undefined && { enabled }),
    ...(every !== undefined && { refetchInterval: every && withBackOff(every) }),
    ...(keepsFormer === true && { placeholderData: <T>(former: T | undefined) => former }),
  };
}

interface Page<Path extends ListPath> {
  data: Entry<Path>[];
  next_cursor: string | null;
}

const paging = <Path extends ListPath>(path: Path, init: AnyInit | undefined, limit: number) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(path, init), 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit, ...init?.params?.query, ...(pageParam !== undefined && { cursor: pageParam }) };
      const { data } = await get(path, { ...init, params: { ...init?.params, query }, signal });
      return data as Page<Path>;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

export interface PagesOptions<E = unknown> extends ReadOptions {
  limit?: number;
  /** Reads every page by itself, for lists that are searched and grouped on the page. */
  all?: boolean;
  /** Like `every`, by the entries that were read. */
  everyFor?: (entries: readonly E[]) => number;
}

/** A list, page by page: `items` is what has been read, `fetchNextPage` reads more. */
export function usePages<Path extends ListPath>(
  path: Path,
  ...[init, options = {}]: Rest<ReadInit<Path>, PagesOptions<Entry<Path>>>
) {
  const { all = false, limit = all ? 100 : 50 } = options;
  const { everyFor } = options;
  const query = useInfiniteQuery({
    ...paging(path, init as AnyInit | undefined, limit),
    ...settingsOf(options),
    ...(all && { meta: readToEnd }),
    ...(everyFor !== undefined && {
      refetchInterval: ({ state }: { state: { data?: InfiniteData<Page<Path>> | undefined } }) =>
        everyFor(state.data?.pages.flatMap(({ data }) => data) ?? []),
    }),
  });
  const { hasNextPage, isFetchingNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (all && hasNextPage && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false });
  }, [all, hasNextPage, isFetching, isError, fetchNextPage]);
  const items = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data]);
  return {
    ...query,
    items,
    isComplete: query.data !== undefined && !hasNextPage,
    isReadingMore: isFetchingNextPage,
  };
}
