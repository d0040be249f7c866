// The period and the server that the figures are of.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './analytics.module.css';
import { periods } from './analytics-search.ts';

const route = getRouteApi('/frame/licensed/analytics');

/** The servers of the license, for people who may list them. */
export function useInstances() {
  const may = useMay('GET /api/fleet/instances');
  const { items } = usePages('/api/fleet/instances', {}, { all: true, enabled: may });
  return items ?? [];
}

/** The query of operations that take the server. */
export function useInstanceQuery(): { instance_id?: string } {
  const { instance } = route.useSearch();
  return instance === '' ? {} : { instance_id: instance };
}

interface FiltersProps {
  hasDays?: boolean;
  hasServer?: boolean;
  children?: ReactNode;
}

export function Filters({ hasDays = true, hasServer = true, children }: FiltersProps) {
  const t = useTexts('analytics');
  const { days, instance } = route.useSearch();
  const navigate = route.useNavigate();
  const instances = useInstances();
  return (
    <div className={classes.filters}>
      {hasDays && (
        <NativeSelect
          aria-label={t('filters.period')}
          value={String(days)}
          data={periods.map((each) => ({ value: String(each), label: t('filters.days', { count: each }) }))}
          onChange={(event) => {
            const next = periods.find((each) => String(each) === event.currentTarget.value) ?? 30;
            void navigate({ to: '.', search: (former) => ({ ...former, days: next }), replace: true });
          }}
        />
      )}
      {children}
      {hasServer && instances.length > 1 && (
        <NativeSelect
          aria-label={t('filters.server')}
          value={instance}
          data={[
            { value: '', label: t('filters.allServers') },
            ...instances.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => {
            const next = event.currentTarget.value;
            void navigate({ to: '.', search: (former) => ({ ...former, instance: next }), replace: true });
          }}
        />
      )}
    </div>
  );
}
