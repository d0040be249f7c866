// When players are on: the hours of the week, darker where more are.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { ChartCard, type ChartColumn } from '../shared/charts/chart-card.tsx';
import { figure } from '../shared/charts/figure.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { localeOf } from '../texts/languages.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';
import classes from './analytics.module.css';
import { Figures } from './figures.tsx';
import { Filters, useInstanceQuery } from './filters.tsx';
import { HeatMap } from './heat-map.tsx';
import { NoSessions } from './players-tab.tsx';

type Hour = Schemas['PeakHour'];

const frame = getRouteApi('/frame/licensed/analytics');
const route = getRouteApi('/frame/licensed/analytics/peak-hours');

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = [...new Set([ownZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];

export function PeakHoursTab() {
  const t = useTexts('analytics');
  const { days } = frame.useSearch();
  const { zone } = route.useSearch();
  const navigate = route.useNavigate();
  const timeZone = zones.includes(zone) ? zone : ownZone;
  const instance = useInstanceQuery();
  const asked = useRead(
    '/api/analytics/peak-hours',
    { params: { query: { days, time_zone: timeZone, ...instance } } },
    { keepsFormer: true },
  );
  return (
    <div className={classes.tab}>
      <Filters>
        <NativeSelect
          aria-label={t('peak.zone')}
          value={timeZone}
          data={zones}
          onChange={(event) => {
            const next = event.currentTarget.value;
            void navigate({
              search: (former) => ({ ...former, zone: next === ownZone ? '' : next }),
              replace: true,
            });
          }}
        />
      </Filters>
      <Loaded asked={asked} waitingFor={t('tabs.peakHours')}>
        {(hours) => (hours.peak === null ? <NoSessions /> : <HoursOf hours={hours} peak={hours.peak} />)}
      </Loaded>
    </div>
  );
}

/** The names of the days, Monday first. */
export function useWeekdays(): readonly string[] {
  const locale = localeOf(useLanguage());
  return useMemo(() => {
    const name = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
    // The fifth of January 2026 was a Monday.
    return Array.from({ length: 7 }, (_, index) => name.format(Date.UTC(2026, 0, 5 + index)));
  }, [locale]);
}

function HoursOf({ hours, peak }: { hours: Schemas['PeakHourAnalytics']; peak: Hour }) {
  const t = useTexts('analytics');
  const formats = useFormats();
  const weekdays = useWeekdays();
  const format = figure(formats);
  const columns = useMemo((): ChartColumn<Hour>[] => {
    const players = figure(formats);
    return [
      {
        name: t('peak.hour'),
        value: ({ weekday, hour }) => `${weekdays[weekday - 1] ?? ''} ${hour}:00`,
        text: ({ weekday, hour }) => `${weekdays[weekday - 1] ?? ''} ${hour}:00`,
      },
      {
        name: t('peak.players'),
        value: ({ average_players }) => average_players,
        text: ({ average_players }) => players(average_players),
      },
    ];
  }, [t, formats, weekdays]);
  const nameOf = ({ weekday, hour }: Hour) => `${weekdays[weekday - 1] ?? ''} ${hour}:00`;
  const quiet = hours.hours.reduce((one, other) =>
    other.average_players < one.average_players ? other : one,
  );
  const summary = t('peak.summary', {
    peak: nameOf(peak),
    players: format(peak.average_players),
    quiet: nameOf(quiet),
    fewest: format(quiet.average_players),
  });
  return (
    <>
      <Figures
        label={t('tabs.peakHours')}
        figures={[
          [
            t('peak.busiest'),
            peak.average_players === 0 ? '–' : nameOf(peak),
            t('peak.mean', { players: format(peak.average_players) }),
          ],
          [t('peak.quietest'), nameOf(quiet), t('peak.mean', { players: format(quiet.average_players) })],
        ]}
      />
      <ChartCard
        title={t('peak.title')}
        summary={summary}
        rows={hours.hours}
        keyOf={({ weekday, hour }) => `${weekday} ${hour}`}
        columns={columns}
        file="peak-hours"
      >
        <HeatMap
          hours={hours.hours}
          most={peak.average_players}
          weekdays={weekdays}
          summary={`${t('peak.title')}. ${summary}`}
        />
      </ChartCard>
    </>
  );
}
