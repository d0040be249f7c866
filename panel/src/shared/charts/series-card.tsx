// A chart of values over time in its card. The library for it is loaded with the first chart.
import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { localeOf } from '../../texts/languages.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { useFormats } from '../formats.ts';
import { ChartCard, type ChartColumn } from './chart-card.tsx';
import type { SeriesPlotProps } from '@gantry/ui/series-plot.tsx';
import { summaryOf, type TimeChart } from '@gantry/ui/series.ts';

const Plot = lazy(() =>
  import('@gantry/ui/series-plot.tsx').then(({ SeriesPlot }) => ({ default: SeriesPlot })),
);

interface SeriesCardProps extends Omit<SeriesPlotProps, 'summary' | 'locale'> {
  title: string;
  /** The name of the CSV file, without its ending. */
  file: string;
}

interface Row {
  at: number;
  values: (number | null)[];
}

export function SeriesCard({ title, file, ...plot }: SeriesCardProps) {
  const t = useTexts('common');
  const formats = useFormats();
  const { chart } = plot;
  const locale = localeOf(useLanguage());
  const rows = useMemo(() => rowsOf(chart), [chart]);
  const columns = useMemo(
    (): ChartColumn<Row>[] => [
      {
        name: t('chart.time'),
        value: ({ at }) => new Date(at).toISOString(),
        text: ({ at }) => formats.dateTime(at),
      },
      ...chart.series.map(({ name }, index) => ({
        name,
        value: ({ values }: Row) => values[index] ?? null,
        text: ({ values }: Row) => {
          const value = values[index] ?? null;
          return value === null ? '–' : chart.format(value);
        },
      })),
    ],
    [t, formats, chart],
  );
  const summary = useSummary(chart);
  return (
    <ChartCard
      title={title}
      summary={summary}
      rows={rows}
      keyOf={({ at }) => String(at)}
      columns={columns}
      file={file}
    >
      <Suspense fallback={<Skeleton height={236} />}>
        <Plot {...plot} locale={locale} summary={`${title}. ${summary}`} />
      </Suspense>
    </ChartCard>
  );
}

/** Newest first; moments that only mark a gap are left out. */
const rowsOf = ({ times, series }: TimeChart): Row[] =>
  times
    .map((at, index) => ({ at, values: series.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .toReversed();

/** Of the first series, which is the main one; the extremes come from the others, where there are some. */
function useSummary({ series, format }: TimeChart): string {
  const t = useTexts('common');
  const all = summaryOf(
    series.filter(({ isFaint }, index) => index === 0 || isFaint).flatMap(({ values }) => values),
  );
  const main = summaryOf(series[0]?.values ?? []);
  if (all === null || main === null) return t('chart.nothing');
  return t('chart.summary', {
    low: format(all.low),
    high: format(all.high),
    mean: format(main.mean),
  });
}
