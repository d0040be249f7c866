// Queries that cost much: what makes them stale has them read again only after a pause.
import type { Query, QueryFunctionContext, QueryKey } from '@tanstack/react-query';

interface Kept<Data> {
  value: Data;
  readAt: number;
  /** Whether it was to be read again before the pause was over. */
  isOutdated: boolean;
}

/** Part of the options of a query that is read once in `pauseMs` at most; the last change is never lost. */
export const seldom = <Data>(pauseMs: number, read: (signal: AbortSignal) => Promise<Data>) => ({
  queryFn: async ({ client, queryKey, signal }: QueryFunctionContext): Promise<Kept<Data>> => {
    const former = client.getQueryData<Kept<Data>>(queryKey);
    if (former !== undefined && Date.now() - former.readAt < pauseMs) return { ...former, isOutdated: true };
    return { value: await read(signal), readAt: Date.now(), isOutdated: false };
  },
  refetchInterval: ({ state: { data } }: Query<Kept<Data>, Error, Kept<Data>, QueryKey>) =>
    data?.isOutdated === true && Math.max(1, data.readAt + pauseMs - Date.now()),
  select: ({ value }: Kept<Data>) => value,
});
