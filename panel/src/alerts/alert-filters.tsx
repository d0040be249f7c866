// The filters of the alerts, kept in the address.
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useTexts } from '../texts/texts.ts';
import { alertKinds, severities, type AlertSearch } from './alert-search.ts';

const route = getRouteApi('/frame/licensed/alerts/');

export function AlertFilters({ count }: { count?: string | undefined }) {
  const t = useTexts('alerts');
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayList = useMay('GET /api/fleet/instances');
  const { items: servers } = usePages('/api/fleet/instances', {}, { all: true, enabled: mayList });
  const set = (change: Partial<AlertSearch>) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  const select = (
    key: 'severity' | 'kind' | 'acknowledged' | 'server' | 'since',
    data: readonly { value: string; label: string }[],
  ) => (
    <NativeSelect
      aria-label={t(`filters.${key}`)}
      value={filters[key]}
      data={[...data]}
      onChange={(event) => set({ [key]: event.currentTarget.value })}
    />
  );
  return (
    <FilterBar {...(count !== undefined && { count })}>
      <SegmentedControl
        aria-label={t('filters.state')}
        value={filters.state}
        data={(['open', 'ended', 'all'] as const).map((value) => ({ value, label: t(`filters.${value}`) }))}
        onChange={(value) => set({ state: value })}
      />
      {select('severity', [
        { value: '', label: t('filters.anySeverity') },
        ...severities.map((value) => ({ value, label: t(`severities.${value}`) })),
      ])}
      {select('kind', [
        { value: '', label: t('filters.anyKind') },
        ...alertKinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
      ])}
      {servers !== undefined &&
        (servers.length > 1 || filters.server !== '') &&
        select('server', [
          { value: '', label: t('filters.anyServer') },
          ...servers.map(({ id, name, hostname }) => ({ value: id, label: `${name} (${hostname})` })),
        ])}
      {select('acknowledged', [
        { value: '', label: t('filters.anyAcknowledged') },
        { value: 'yes', label: t('filters.onlyAcknowledged') },
        { value: 'no', label: t('filters.onlyUnacknowledged') },
      ])}
      {select('since', [
        { value: '', label: t('filters.anyTime') },
        ...(['day', 'week', 'month'] as const).map((value) => ({ value, label: t(`filters.${value}`) })),
      ])}
    </FilterBar>
  );
}
