// Which maps keep players: a table with the effectiveness of each.
import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Download, Map as MapIcon } from 'lucide-react';
import { useMemo } from 'react';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { saveCsv } from '../shared/save-csv.ts';
import { figure } from '../shared/charts/figure.ts';
import { sorted, type Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './analytics.module.css';
import { mapRanges, defaultMaps } from './analytics-search.ts';
import { Figures } from './figures.tsx';
import { Filters } from './filters.tsx';

type MapMetrics = Schemas['MapMetrics'];

const route = getRouteApi('/frame/licensed/analytics/maps');

export function MapsTab() {
  const t = useTexts('analytics');
  const { range } = route.useSearch();
  const navigate = route.useNavigate();
  const asked = useRead('/api/analytics/maps', { params: { query: { range } } }, { keepsFormer: true });
  return (
    <div className={classes.tab}>
      <Filters hasDays={false} hasServer={false}>
        <NativeSelect
          aria-label={t('filters.period')}
          value={range}
          data={mapRanges.map((each) => ({ value: each, label: t(`maps.ranges.${each}`) }))}
          onChange={(event) => {
            const next = mapRanges.find((each) => each === event.currentTarget.value) ?? defaultMaps.range;
            void navigate({ search: (former) => ({ ...former, range: next }), replace: true });
          }}
        />
        {asked.data !== undefined && asked.data.maps.length > 0 && (
          <Button
            variant="default"
            leftSection={<Download size={16} aria-hidden="true" />}
            onClick={() => saveMaps(asked.data.maps)}
          >
            {t('maps.csv')}
          </Button>
        )}
      </Filters>
      <Loaded asked={asked} waitingFor={t('tabs.maps')} skeleton={<TableSkeleton rows={4} />}>
        {(analytics) =>
          analytics.maps.length === 0 ? (
            <EmptyState icon={MapIcon} title={t('maps.emptyTitle')}>
              {t('maps.empty')}
            </EmptyState>
          ) : (
            <MapsOf analytics={analytics} />
          )
        }
      </Loaded>
    </div>
  );
}

const fields = [
  'name',
  'effectiveness_percent',
  'effectiveness_color',
  'average_players',
  'peak_players',
  'hours',
  'sessions',
  'unique_players',
] as const satisfies (keyof MapMetrics)[];

const saveMaps = (maps: readonly MapMetrics[]) =>
  saveCsv('maps.csv', [[...fields], ...maps.map((map) => fields.map((field) => map[field]))]);

function MapsOf({ analytics }: { analytics: Schemas['MapAnalytics'] }) {
  const t = useTexts('analytics');
  const formats = useFormats();
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useMapColumns();
  const { best_map: best, rotation_effectiveness_percent: rotation, maps } = analytics;
  const hours = maps.reduce((sum, map) => sum + map.hours, 0);
  return (
    <>
      <Figures
        label={t('tabs.maps')}
        figures={[
          [t('maps.rotation'), rotation === null ? '–' : formats.percent(rotation), t('maps.rotationNote')],
          best === null
            ? [t('maps.best'), '–']
            : [t('maps.best'), best.name, formats.percent(best.effectiveness_percent)],
          [t('maps.hours'), figure(formats)(hours)],
        ]}
      />
      <DataTable
        label={t('tabs.maps')}
        columns={columns}
        groups={[{ key: 'all', name: '', rows: sorted(maps, columns, sort) }]}
        keyOf={({ map_id }) => map_id}
        nameOf={({ name }) => name}
        sort={sort}
        onSort={(next) => void navigate({ search: (former) => ({ ...former, sort: next }), replace: true })}
      />
      <p className="hint">{t('maps.explained')}</p>
    </>
  );
}

const tones: Record<Schemas['EffectivenessColor'], Tone> = { green: 'good', yellow: 'busy', red: 'bad' };

/** As wide as their headers. */
const numberWidths = {
  average_players: 'minmax(96px, 1fr)',
  peak_players: 'minmax(96px, 1fr)',
  hours: 'minmax(72px, 1fr)',
  sessions: 'minmax(72px, 1fr)',
  unique_players: '124px',
};

function useMapColumns(): readonly Column<MapMetrics>[] {
  const t = useTexts('analytics');
  const formats = useFormats();
  return useMemo(() => {
    const format = figure(formats);
    const number = (key: keyof typeof numberWidths) => ({
      key,
      header: t(`maps.${key}`),
      width: numberWidths[key],
      align: 'end' as const,
      phone: 'line' as const,
      sortBy: (map: MapMetrics) => map[key],
      cell: (map: MapMetrics) => {
        const value = map[key];
        return value === null ? '–' : format(value);
      },
    });
    return [
      {
        key: 'name',
        header: t('maps.map'),
        width: 'minmax(200px, 3fr)',
        phone: 'title',
        wraps: true,
        sortBy: ({ name }) => name,
        cell: ({ name }) => <strong>{name}</strong>,
      },
      {
        key: 'effectiveness',
        header: t('maps.effectiveness'),
        width: '124px',
        phone: 'aside',
        sortBy: ({ effectiveness_percent }) => effectiveness_percent,
        cell: ({ effectiveness_percent: percent, effectiveness_color: color }) =>
          percent === null || color === null ? (
            '–'
          ) : (
            <StateText tone={tones[color]}>
              {formats.percent(percent)} {t(`maps.colors.${color}`)}
            </StateText>
          ),
      },
      number('average_players'),
      number('peak_players'),
      number('hours'),
      number('sessions'),
      number('unique_players'),
    ] satisfies Column<MapMetrics>[];
  }, [t, formats]);
}
