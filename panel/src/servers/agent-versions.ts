// The versions of the agents, by the IDs of their hosts.
import { useMemo } from 'react';
import { usePages } from '../api/reading.ts';

/** Empty until they are read. */
export function useAgentVersions(): ReadonlyMap<string, string> {
  const { items } = usePages('/api/fleet/hosts', {}, { all: true });
  return useMemo(() => new Map((items ?? []).map(({ id, agent_version }) => [id, agent_version])), [items]);
}
