// Charts of every report of a server, for short periods.
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { SeriesCard } from '../shared/charts/series-card.tsx';
import { figure } from '../shared/charts/figure.ts';
import { withGaps, type Series, type TimeChart } from '@gantry/ui/series.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { ChartsSkeleton, NothingRecorded } from './charts-states.tsx';
import type { ChartsProps } from './charts-props.ts';
import classes from './stats.module.css';

type Point = Schemas['InstanceMetrics'];

/** A page for each hundred reports: longer periods are read less often. */
const everyMs = { '1h': 15_000, '6h': 60_000 } as const;
/** A longer pause between two reports is shown as a gap. */
const maxStepMs = 90_000;

interface ReportsProps extends ChartsProps {
  range: keyof typeof everyMs;
}

export function Reports({ instanceId, range, from, to, isNow, onPick }: ReportsProps) {
  const t = useTexts('stats');
  const formats = useFormats();
  // The start of what is read stays for ten minutes, so that the same pages are read again.
  const start = Math.floor(from / keptMs) * keptMs;
  const asked = usePages(
    '/api/fleet/instances/{instance_id}/stats',
    {
      params: {
        path: { instance_id: instanceId },
        query: {
          from: new Date(start).toISOString(),
          ...(!isNow && { to: new Date(to).toISOString() }),
        },
      },
    },
    { all: true, keepsFormer: true, every: isNow && everyMs[range] },
  );
  const points = asked.items;
  const charts = useMemo(() => {
    if (points === undefined) return [];
    const filled = withGaps(points.toReversed(), ({ recorded_at }) => Date.parse(recorded_at), maxStepMs);
    const chart = (format: TimeChart['format'], ...series: Series[]): TimeChart => ({
      times: filled.times,
      series,
      format,
    });
    const line = (key: keyof Point & keyof typeof colors): Series => ({
      key,
      name: t(`figures.${key}`),
      color: colors[key],
      values: filled.points.map((point) => point?.[key] ?? null),
    });
    return [
      { key: 'players', chart: chart(figure(formats), line('players'), line('queued')) },
      { key: 'fps', chart: chart(figure(formats), line('fps')) },
      {
        key: 'cpu_percent',
        chart: {
          ...chart((value) => formats.percent(value), line('cpu_percent')),
          minTop: minTopPercent,
        },
      },
      { key: 'memory_bytes', chart: chart((value) => formats.bytes(value), line('memory_bytes')) },
      { key: 'entities', chart: chart(figure(formats), line('entities')) },
    ] as const;
  }, [points, t, formats]);
  return (
    <Loaded asked={{ ...asked, data: points }} waitingFor={t('title')} skeleton={<ChartsSkeleton />}>
      {(items) =>
        items.length === 0 ? (
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
                file={`${key}-${range}`}
                onPick={onPick}
              />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

const keptMs = 600_000;

/** Fractions of a percent have no labels of their own. */
const minTopPercent = 20;

const colors = {
  players: '--page-accent',
  queued: '--state-busy',
  fps: '--state-good',
  cpu_percent: '--page-accent',
  memory_bytes: '--page-accent',
  entities: '--state-idle',
} as const;
