// The outcomes of the requests of a run, read as one list until all have finished.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { read } from '../../api/reading.ts';
import type { Entry, ReadInit } from '../../api/operations.ts';
import { isRequested, type Run } from './run-store.ts';

type ResultPath = '/api/commands' | '/api/plugin-applications';

type Result<Path extends ResultPath> = Entry<Path> & { id: string; finished_at: string | null };

type Results<Path extends ResultPath> = ReadonlyMap<string, Result<Path>>;

const everyMs = 1_500;
/** Hosts that are away finish nothing for hours, and events report what is finished meanwhile. */
const laterMs = 10_000;
const soonMs = 60_000;
/** Requests of other users are in the list, too. */
const maxExtraPages = 5;
const perPage = 100;

export function useResults<Path extends ResultPath>(
  path: Path,
  { id, startedAt, items }: Run,
  filter: object = {},
): Results<Path> {
  const queries = useQueryClient();
  const queryKey = [path, { run: id }];
  const ids = items.flatMap(({ acceptedId }) => (acceptedId === undefined ? [] : [acceptedId]));
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => find(path, filter, ids, queries.getQueryData<Results<Path>>(queryKey), signal),
    enabled: ids.length > 0,
    refetchInterval: ({ state }) => {
      if (ids.every((each) => isFinished(state.data, each)) && items.every(isRequested)) return false;
      return Date.now() - Date.parse(startedAt) < soonMs ? everyMs : laterMs;
    },
  });
  return data ?? new Map<string, Result<Path>>();
}

const isFinished = <Path extends ResultPath>(known: Results<Path> | undefined, id: string): boolean =>
  typeof known?.get(id)?.finished_at === 'string';

/** Reads the newest entries until all that are unfinished are found. */
async function find<Path extends ResultPath>(
  path: Path,
  filter: object,
  ids: readonly string[],
  known: Results<Path> | undefined,
  signal: AbortSignal,
): Promise<Results<Path>> {
  const found = new Map(known);
  const wanted = new Set(ids.filter((id) => !isFinished(known, id)));
  const maxPages = Math.ceil(wanted.size / perPage) + maxExtraPages;
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && wanted.size > 0; page += 1) {
    const query = { limit: perPage, ...filter, ...(cursor !== undefined && { cursor }) };
    const reply = await read(path, { params: { query } } as ReadInit<Path>, signal);
    const { data, next_cursor } = reply as unknown as { data: Result<Path>[]; next_cursor: string | null };
    for (const entry of data) if (wanted.delete(entry.id)) found.set(entry.id, entry);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return found;
}
