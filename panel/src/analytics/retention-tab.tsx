// How many players came back after each wipe: curves, and a row for each wipe.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Repeat2 } from 'lucide-react';
import { useMemo } from 'react';
import { client } from '../api/client.ts';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { ChartCard, type ChartColumn } from '../shared/charts/chart-card.tsx';
import { DownloadButton } from '../shared/download-button.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './analytics.module.css';
import { defaultWipes, wipeCounts } from './analytics-search.ts';
import { Cohorts } from './cohorts.tsx';
import { Figures } from './figures.tsx';
import { Filters, useInstanceQuery } from './filters.tsx';
import { Curves } from './plots.tsx';

type Wipe = Schemas['WipeRetention'];

const route = getRouteApi('/frame/licensed/analytics/retention');

export function RetentionTab() {
  const t = useTexts('analytics');
  const { wipes } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { wipes, ...useInstanceQuery() };
  const asked = useRead('/api/analytics/retention', { params: { query } }, { keepsFormer: true });
  return (
    <div className={classes.tab}>
      <Filters hasDays={false}>
        <NativeSelect
          aria-label={t('retention.wipes')}
          value={String(wipes)}
          data={wipeCounts.map((count) => ({
            value: String(count),
            label: t('retention.lastWipes', { count }),
          }))}
          onChange={(event) => {
            const next =
              wipeCounts.find((count) => String(count) === event.currentTarget.value) ?? defaultWipes.wipes;
            void navigate({ search: (former) => ({ ...former, wipes: next }), replace: true });
          }}
        />
        <DownloadButton
          file="retention.csv"
          fetch={async () => {
            const { data } = await client.GET('/api/analytics/retention', {
              params: { query: { ...query, format: 'csv' as const } },
              parseAs: 'blob',
            });
            return data;
          }}
        >
          {t('retention.csv')}
        </DownloadButton>
      </Filters>
      <Loaded asked={asked} waitingFor={t('tabs.retention')}>
        {(retention) =>
          retention.wipes.length === 0 ? (
            <EmptyState icon={Repeat2} title={t('retention.emptyTitle')}>
              {t('retention.empty')}
            </EmptyState>
          ) : (
            <RetentionOf retention={retention} />
          )
        }
      </Loaded>
    </div>
  );
}

function RetentionOf({ retention: { wipes, comparison } }: { retention: Schemas['RetentionAnalytics'] }) {
  const t = useTexts('analytics');
  const formats = useFormats();
  const percent = (value: number | null) => (value === null ? '–' : formats.percent(value));
  const curves = useMemo(() => curvesOf(wipes, (hours) => t('retention.after', { hours })), [wipes, t]);
  const columns = useRetentionColumns();
  const averages = comparison.map(
    ({ after_hours, average_percent, wipes: count }) =>
      [
        t('retention.after', { hours: after_hours }),
        percent(average_percent),
        count === 0 ? t('retention.tooEarly') : t('retention.ofWipes', { count }),
      ] as const,
  );
  const known = comparison.filter(({ average_percent }) => average_percent !== null);
  const summary =
    known.length === 0
      ? t('retention.noAverage')
      : known
          .map(({ after_hours: hours, average_percent }) =>
            t('retention.average', { hours, percent: percent(average_percent) }),
          )
          .join(' ');
  return (
    <>
      <Figures label={t('tabs.retention')} figures={averages} />
      <ChartCard
        title={t('retention.title')}
        summary={summary}
        rows={wipes}
        keyOf={({ wipe_id }) => wipe_id}
        columns={columns}
        file="retention"
      >
        <Curves
          data={curves}
          by="after"
          series={wipes.map(({ wipe_id, instance_name, wiped_at }, index) => ({
            name: wipe_id,
            label: `${instance_name}, ${formats.date(wiped_at)}`,
            color: colorOf(index, wipes.length),
          }))}
          format={(value) => formats.percent(value)}
          summary={`${t('retention.title')}. ${summary}`}
        />
        <p className="hint">{t('retention.colors')}</p>
      </ChartCard>
      <Cohorts wipes={wipes} comparison={comparison} />
    </>
  );
}

/** The newest wipe has the full colour, older ones are paler. */
const colorOf = (index: number, count: number): string =>
  `color-mix(in srgb, var(--page-accent) ${100 - Math.round((index / count) * 75)}%, var(--page-border))`;

/** All of the cohort were there at first. */
function curvesOf(wipes: readonly Wipe[], nameOf: (hours: number) => string) {
  return [0, 24, 48, 72].map((hours) => ({
    after: nameOf(hours),
    ...Object.fromEntries(
      wipes.map(({ wipe_id, cohort_players, points }) => [
        wipe_id,
        hours === 0
          ? cohort_players === 0
            ? null
            : 100
          : (points.find(({ after_hours }) => after_hours === hours)?.percent ?? null),
      ]),
    ),
  }));
}

function useRetentionColumns(): readonly ChartColumn<Wipe>[] {
  const t = useTexts('analytics');
  const formats = useFormats();
  return useMemo(
    (): ChartColumn<Wipe>[] => [
      {
        name: t('retention.wipe'),
        value: ({ wiped_at }) => wiped_at,
        text: ({ wiped_at, instance_name }) => `${instance_name}, ${formats.dateTime(wiped_at)}`,
      },
      {
        name: t('retention.cohort'),
        value: ({ cohort_players }) => cohort_players,
        text: ({ cohort_players }) => formats.number(cohort_players),
      },
      ...[24, 48, 72].map((hours): ChartColumn<Wipe> => {
        const percentOf = ({ points }: Wipe) =>
          points.find(({ after_hours }) => after_hours === hours)?.percent ?? null;
        return {
          name: t('retention.after', { hours }),
          value: percentOf,
          text: (wipe) => {
            const value = percentOf(wipe);
            return value === null ? '–' : formats.percent(value);
          },
        };
      }),
    ],
    [t, formats],
  );
}
