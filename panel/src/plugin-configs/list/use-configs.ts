// The configurations of every kind, each kind read to its end.
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../../api/operations.ts';
import { keyOf, read } from '../../api/reading.ts';
import { kindNames, type KindName } from '../kinds.ts';

export type Summary = Schemas['PluginConfigSummary'];

const perPage = 100;

export function useConfigs() {
  return useQueries({
    queries: kindNames.map((kind) => ({
      queryKey: [...keyOf('/api/plugin-configs/{kind}', { params: { path: { kind } } }), 'all'],
      queryFn: ({ signal }: { signal: AbortSignal }) => readAll(kind, signal),
    })),
    combine: combined,
  });
}

type Lists = readonly UseQueryResult<Summary[]>[];

/** The same result while no list changes. */
function combined(lists: Lists) {
  const isComplete = lists.every(({ data }) => data !== undefined);
  const error = lists.find((list) => list.error !== null)?.error ?? null;
  return {
    data: isComplete ? lists.flatMap(({ data }) => data ?? []) : undefined,
    error,
    isPending: !isComplete && error === null,
    isFetching: lists.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(lists.map(({ refetch }) => refetch())),
  };
}

async function readAll(kind: KindName, signal: AbortSignal): Promise<Summary[]> {
  const configs: Summary[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: perPage, ...(cursor !== undefined && { cursor }) };
    const page = await read('/api/plugin-configs/{kind}', { params: { path: { kind }, query } }, signal);
    configs.push(...page.data);
    cursor = page.next_cursor;
  }
  return configs;
}
