// How many different players there were, and how many of them were new.
import { getRouteApi } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { ChartCard, type ChartColumn } from '../shared/charts/chart-card.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { PluginDownload } from '../shared/plugin-download.tsx';
import { useTexts } from '../texts/texts.ts';
import { allDays } from './all-days.ts';
import classes from './analytics.module.css';
import { Figures } from './figures.tsx';
import { Filters, useInstanceQuery } from './filters.tsx';
import { Bars } from './plots.tsx';

type Day = Schemas['DailyPlayers'];

const route = getRouteApi('/frame/licensed/analytics');

export function PlayersTab() {
  const t = useTexts('analytics');
  const { days } = route.useSearch();
  const instance = useInstanceQuery();
  const asked = useRead(
    '/api/analytics/players',
    { params: { query: { days, ...instance } } },
    { keepsFormer: true },
  );
  return (
    <div className={classes.tab}>
      <Filters />
      <Loaded asked={asked} waitingFor={t('tabs.players')}>
        {(players) => (players.days.length === 0 ? <NoSessions /> : <PlayersOf players={players} />)}
      </Loaded>
    </div>
  );
}

export function NoSessions() {
  const t = useTexts('analytics');
  return (
    <EmptyState icon={Users} title={t('noSessions.title')} action={<PluginDownload />}>
      {t('noSessions.detail')}
    </EmptyState>
  );
}

function PlayersOf({ players }: { players: Schemas['PlayerAnalytics'] }) {
  const t = useTexts('analytics');
  const formats = useFormats();
  const rows = useMemo(
    () =>
      allDays(players.from, players.to, players.days, (day) => ({
        day,
        unique_players: 0,
        new_players: 0,
        returning_players: 0,
      })),
    [players],
  );
  const columns = useMemo((): ChartColumn<Day>[] => {
    const count = (name: string, of: (day: Day) => number): ChartColumn<Day> => ({
      name,
      value: of,
      text: (day) => formats.number(of(day)),
    });
    return [
      { name: t('players.day'), value: ({ day }) => day, text: ({ day }) => formats.date(`${day}T12:00:00`) },
      count(t('players.unique'), ({ unique_players }) => unique_players),
      count(t('players.new'), ({ new_players }) => new_players),
      count(t('players.returning'), ({ returning_players }) => returning_players),
    ];
  }, [t, formats]);
  const best = rows.reduce((one, other) => (other.unique_players > one.unique_players ? other : one));
  const summary = t('players.summary', {
    count: best.unique_players,
    day: formats.date(`${best.day}T12:00:00`),
  });
  return (
    <>
      <Figures
        label={t('tabs.players')}
        figures={[
          [t('players.unique'), formats.number(players.unique_players)],
          [
            t('players.new'),
            formats.number(players.new_players),
            players.new_percent === null ? '' : formats.percent(players.new_percent),
          ],
          [t('players.returning'), formats.number(players.returning_players)],
        ]}
      />
      <ChartCard
        title={t('players.title')}
        summary={summary}
        rows={rows.toReversed()}
        keyOf={({ day }) => day}
        columns={columns}
        file="players"
      >
        <Bars
          data={rows.map(({ day, new_players, returning_players }) => ({
            day: formats.date(`${day}T12:00:00`),
            returning: returning_players,
            new: new_players,
          }))}
          by="day"
          isStacked
          series={[
            { name: 'returning', label: t('players.returning'), color: 'var(--page-accent)' },
            { name: 'new', label: t('players.new'), color: 'var(--state-good)' },
          ]}
          format={(value) => formats.number(value)}
          summary={`${t('players.title')}. ${summary}`}
        />
      </ChartCard>
    </>
  );
}
