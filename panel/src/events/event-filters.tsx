// The filters of the event log, kept in the address.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useTexts } from '../texts/texts.ts';
import type { EventSearch } from './event-search.ts';
import { useAreas, useEventTypes, type EventTypeEntry } from './event-types.ts';
import { useEventWords } from './event-words.ts';

const route = getRouteApi('/frame/licensed/events');

const none: readonly EventTypeEntry[] = [];

export function EventFilters() {
  const t = useTexts('events');
  const { type, object, server, host, since } = route.useSearch();
  const navigate = route.useNavigate();
  const set = useCallback(
    (change: Partial<EventSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const search = useCallback((next: string) => set({ object: next.trim() }), [set]);
  const mayList = useMay('GET /api/fleet/instances');
  const mayListHosts = useMay('GET /api/fleet/hosts');
  const { items: servers = [] } = usePages('/api/fleet/instances', {}, { all: true, enabled: mayList });
  const { items: hosts = [] } = usePages('/api/fleet/hosts', {}, { all: true, enabled: mayListHosts });
  return (
    <FilterBar search={object} onSearch={search} placeholder={t('filters.object')}>
      <TypeSelect value={type} onChange={(next) => set({ type: next })} />
      {(servers.length > 0 || server !== '') && (
        <NativeSelect
          aria-label={t('filters.server')}
          value={server}
          data={[
            { value: '', label: t('filters.anyServer') },
            ...servers.map(({ id, name, hostname }) => ({ value: id, label: `${name} (${hostname})` })),
          ]}
          onChange={({ currentTarget: { value } }) => set({ server: value })}
        />
      )}
      {(hosts.length > 1 || host !== '') && (
        <NativeSelect
          aria-label={t('filters.host')}
          value={host}
          data={[
            { value: '', label: t('filters.anyHost') },
            ...hosts.map(({ id, hostname }) => ({ value: id, label: hostname })),
          ]}
          onChange={({ currentTarget: { value } }) => set({ host: value })}
        />
      )}
      <NativeSelect
        aria-label={t('filters.since')}
        value={since}
        data={[
          { value: '', label: t('filters.anyTime') },
          ...(['hour', 'day', 'week'] as const).map((value) => ({ value, label: t(`filters.${value}`) })),
        ]}
        onChange={({ currentTarget: { value } }) => set({ since: value as EventSearch['since'] })}
      />
    </FilterBar>
  );
}

interface TypeSelectProps {
  value: string;
  onChange: (type: string) => void;
}

function TypeSelect({ value, onChange }: TypeSelectProps) {
  const t = useTexts('events');
  const words = useEventWords();
  const { data } = useEventTypes();
  const areas = useAreas(data?.data ?? none);
  return (
    <NativeSelect
      aria-label={t('filters.type')}
      maw={280}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{t('filters.anyType')}</option>
      {areas
        .map(({ name, types }) => ({ name, types: types.filter(({ can_read }) => can_read) }))
        .filter(({ types }) => types.length > 0)
        .map(({ name, types }) => (
          <optgroup key={name} label={words.area(name)}>
            <option value={`${name}.*`}>{t('filters.area', { area: words.area(name) })}</option>
            {types.map(({ type }) => (
              <option key={type} value={type}>
                {words.type(type)}
              </option>
            ))}
          </optgroup>
        ))}
    </NativeSelect>
  );
}
