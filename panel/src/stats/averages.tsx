// Charts of means and extremes of a server's reports, for long periods.
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { SeriesCard } from '../shared/charts/series-card.tsx';
import { figure } from '../shared/charts/figure.ts';
import { withGaps, type TimeChart } from '@gantry/ui/series.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { ChartsSkeleton, NothingRecorded } from './charts-states.tsx';
import type { ChartsProps } from './charts-props.ts';
import classes from './stats.module.css';

type Point = Schemas['MetricsSeriesPoint'];

const stepMs = { '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const;

const everyMs = 60_000;

interface AveragesProps extends ChartsProps {
  step: Schemas['SeriesStep'];
}

export function Averages({ instanceId, step, from, to, isNow, onPick }: AveragesProps) {
  const t = useTexts('stats');
  const formats = useFormats();
  const asked = useRead(
    '/api/analytics/server-stats',
    {
      params: {
        query: {
          instance_id: instanceId,
          step,
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
        },
      },
    },
    { keepsFormer: true, every: isNow && everyMs },
  );
  const points = asked.data?.points;
  const charts = useMemo(() => {
    if (points === undefined) return [];
    const filled = withGaps(points, ({ at }) => Date.parse(at), stepMs[step] * 1.5);
    const line = (key: keyof Point & keyof typeof colors, isFaint = false) => ({
      key,
      name: t(`averages.${key}`),
      color: colors[key],
      isFaint,
      values: filled.points.map((point) => point?.[key] ?? null),
    });
    const { times } = filled;
    const format = figure(formats);
    return [
      {
        key: 'players',
        chart: {
          times,
          format,
          series: [line('average_players'), line('max_players', true), line('min_players', true)],
          band: ['max_players', 'min_players'],
        },
      },
      {
        key: 'fps',
        chart: {
          times,
          format,
          series: [line('average_fps'), line('min_fps', true)],
          band: ['average_fps', 'min_fps'],
        },
      },
      {
        key: 'entities',
        chart: { times, format, series: [line('average_entities'), line('max_entities', true)] },
      },
    ] as const satisfies { key: string; chart: TimeChart }[];
  }, [points, step, t, formats]);
  return (
    <Loaded asked={asked} waitingFor={t('title')} skeleton={<ChartsSkeleton />}>
      {(series) =>
        series.points.length === 0 ? (
          <NothingRecorded />
        ) : (
          <div className={classes.charts}>
            {charts.map(({ key, chart }) => (
              <SeriesCard
                key={key}
                title={t(`figures.${key}`)}
                chart={chart}
                cursor={instanceId}
                from={from}
                to={to}
                file={`${key}-${step}`}
                onPick={onPick}
              />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

const colors = {
  average_players: '--page-accent',
  max_players: '--page-accent',
  min_players: '--page-accent',
  average_fps: '--state-good',
  min_fps: '--state-good',
  average_entities: '--state-idle',
  max_entities: '--state-idle',
} as const;
