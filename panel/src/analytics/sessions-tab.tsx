// How long players stay, and the latest sessions.
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { ChartCard, type ChartColumn } from '../shared/charts/chart-card.tsx';
import { useFormats, type Formats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './analytics.module.css';
import { Figures } from './figures.tsx';
import { Filters, useInstanceQuery } from './filters.tsx';
import { Bars } from './plots.tsx';
import { NoSessions } from './players-tab.tsx';
import { SessionList } from './session-list.tsx';

type Bucket = Schemas['SessionLengthBucket'];

const route = getRouteApi('/frame/licensed/analytics');

export function SessionsTab() {
  const t = useTexts('analytics');
  const { days } = route.useSearch();
  const instance = useInstanceQuery();
  const asked = useRead(
    '/api/analytics/session-lengths',
    { params: { query: { days, ...instance } } },
    { keepsFormer: true },
  );
  return (
    <div className={classes.tab}>
      <Filters />
      <Loaded asked={asked} waitingFor={t('tabs.sessions')}>
        {(lengths) =>
          lengths.sessions === 0 ? (
            <NoSessions />
          ) : (
            <>
              <LengthsOf lengths={lengths} />
              <SessionList from={lengths.from} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

/** "1–2 hr" in words of the language: the bounds of a group. */
function boundsOf({ from_seconds: from, to_seconds: to }: Bucket, formats: Formats, t: LengthTexts): string {
  const name = (seconds: number) =>
    seconds < 3_600
      ? formats.number(seconds / 60, { style: 'unit', unit: 'minute', unitDisplay: 'short' })
      : formats.number(seconds / 3_600, { style: 'unit', unit: 'hour', unitDisplay: 'short' });
  if (to === null) return t('lengths.from', { length: name(from) });
  return from === 0
    ? t('lengths.below', { length: name(to) })
    : t('lengths.between', { from: name(from), to: name(to) });
}

type LengthTexts = ReturnType<typeof useTexts<'analytics'>>;

function LengthsOf({ lengths }: { lengths: Schemas['SessionLengthAnalytics'] }) {
  const t = useTexts('analytics');
  const formats = useFormats();
  const columns = useMemo(
    (): ChartColumn<Bucket>[] => [
      {
        name: t('lengths.length'),
        value: (bucket) => boundsOf(bucket, formats, t),
        text: (bucket) => boundsOf(bucket, formats, t),
      },
      {
        name: t('lengths.sessions'),
        value: ({ sessions }) => sessions,
        text: ({ sessions }) => formats.number(sessions),
      },
      {
        name: t('lengths.share'),
        value: ({ percent }) => percent,
        text: ({ percent }) => (percent === null ? '–' : formats.percent(percent)),
      },
    ],
    [t, formats],
  );
  const { average_seconds: average, lengths: buckets } = lengths;
  const most = buckets.reduce((one, other) => (other.sessions > one.sessions ? other : one));
  const summary = t('lengths.summary', {
    length: boundsOf(most, formats, t),
    percent: formats.percent(most.percent ?? 0),
  });
  return (
    <>
      <Figures
        label={t('tabs.sessions')}
        figures={[
          [t('lengths.sessions'), formats.number(lengths.sessions)],
          [t('lengths.average'), average === null ? '–' : formats.duration(average)],
          [t('lengths.unknown'), formats.number(lengths.unknown_sessions), t('lengths.unknownNote')],
        ]}
      />
      <ChartCard
        title={t('lengths.title')}
        summary={summary}
        rows={buckets}
        keyOf={({ from_seconds }) => String(from_seconds)}
        columns={columns}
        file="session-lengths"
      >
        <Bars
          data={buckets.map((bucket) => ({
            length: boundsOf(bucket, formats, t),
            sessions: bucket.sessions,
          }))}
          by="length"
          series={[{ name: 'sessions', label: t('lengths.sessions'), color: 'var(--page-accent)' }]}
          format={(value) => formats.number(value)}
          summary={`${t('lengths.title')}. ${summary}`}
        />
      </ChartCard>
    </>
  );
}
