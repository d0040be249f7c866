// Search, filters and grouping of the servers, kept in the address.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { FilterBar } from '../shared/filter-bar.tsx';
import { instanceStates } from '../shared/instance-state.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Server, ServerSearch } from './server-search.ts';

const route = getRouteApi('/frame/licensed/servers');

interface ServerFiltersProps {
  servers: readonly Server[];
  shownCount: number;
  clusters: ReadonlyMap<string, string>;
}

export function ServerFilters({ servers, shownCount, clusters }: ServerFiltersProps) {
  const t = useTexts('servers');
  const common = useTexts('common');
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const set = useCallback(
    (change: Partial<ServerSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const search = useCallback((next: string) => set({ search: next }), [set]);
  const hosts = useMemo(() => hostsOf(servers), [servers]);
  return (
    <FilterBar
      search={filters.search}
      onSearch={search}
      placeholder={t('search')}
      count={
        shownCount === servers.length
          ? t('count', { count: servers.length })
          : t('countOf', { shown: shownCount, total: servers.length })
      }
    >
      <NativeSelect
        aria-label={t('filters.state')}
        value={filters.state}
        data={[
          { value: '', label: t('filters.anyState') },
          ...instanceStates.map((state) => ({ value: state, label: common(`instanceState.${state}`) })),
        ]}
        onChange={(event) => set({ state: event.currentTarget.value })}
      />
      {hosts.length > 1 && (
        <NativeSelect
          aria-label={t('filters.host')}
          value={filters.host}
          data={[{ value: '', label: t('filters.anyHost') }, ...hosts]}
          onChange={(event) => set({ host: event.currentTarget.value })}
        />
      )}
      {clusters.size > 0 && (
        <NativeSelect
          aria-label={t('filters.cluster')}
          value={filters.cluster}
          data={[
            { value: '', label: t('filters.anyCluster') },
            ...[...clusters].map(([value, label]) => ({ value, label })),
          ]}
          onChange={(event) => set({ cluster: event.currentTarget.value })}
        />
      )}
      {(hosts.length > 1 || clusters.size > 0) && (
        <NativeSelect
          aria-label={t('filters.group')}
          value={filters.group}
          data={[
            { value: 'none', label: t('filters.noGroup') },
            { value: 'host', label: t('filters.groupHost') },
            { value: 'cluster', label: t('filters.groupCluster') },
          ]}
          onChange={(event) => set({ group: event.currentTarget.value as ServerSearch['group'] })}
        />
      )}
    </FilterBar>
  );
}

function hostsOf(servers: readonly Server[]): { value: string; label: string }[] {
  const names = new Map(servers.map(({ host_id, hostname }) => [host_id, hostname]));
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label, undefined, { numeric: true }));
}
