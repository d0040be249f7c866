// The clusters of the license, by their IDs.
import { useMemo } from 'react';
import { usePages } from '../api/reading.ts';

/** Names by ID; empty until they are read. */
export function useClusters(): ReadonlyMap<string, string> {
  const { items } = usePages('/api/fleet/clusters', {}, { all: true });
  return useMemo(() => new Map((items ?? []).map(({ id, name }) => [id, name])), [items]);
}
