// The sessions of one player on a server, and how long they played.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { periods } from './player-search.ts';
import classes from './players.module.css';
import { lengthOf } from './session-length.ts';

type Session = Schemas['PlayerSession'];

const route = getRouteApi('/frame/licensed/servers/$instanceId/players/$steamId');
const dayMs = 86_400_000;

const keyOf = ({ started_at, ended_at }: Session) => `${started_at} ${ended_at ?? ''}`;

/** Midnight, so that the same request is made again during a day. */
const fromOf = (days: number) => new Date((Math.floor(serverNow() / dayMs) - days + 1) * dayMs).toISOString();

export function PlayerSessions({ instanceId, steamId }: { instanceId: string; steamId: string }) {
  const t = useTexts('players');
  const formats = useFormats();
  const { days } = route.useSearch();
  const navigate = route.useNavigate();
  const sessions = usePages(
    '/api/analytics/sessions',
    { params: { query: { instance_id: instanceId, steam_id: steamId, from: fromOf(days) } } },
    { all: true, keepsFormer: true },
  );
  const columns = useSessionColumns();
  const lengths = (sessions.items ?? []).flatMap((session) => lengthOf(session) ?? []);
  const played = lengths.reduce((sum, length) => sum + length, 0);
  return (
    <Section
      title={t('sessions.title')}
      aside={
        <NativeSelect
          aria-label={t('sessions.period')}
          value={String(days)}
          data={periods.map((each) => ({
            value: String(each),
            label: t('sessions.days', { count: each }),
          }))}
          onChange={(event) => {
            const next = periods.find((each) => String(each) === event.currentTarget.value) ?? 30;
            void navigate({ search: { days: next }, replace: true });
          }}
        />
      }
    >
      <Loaded asked={{ ...sessions, data: sessions.items }} waitingFor={t('sessions.title')}>
        {(items) =>
          items.length === 0 ? (
            <p className="hint">{t('sessions.none')}</p>
          ) : (
            <div className={classes.sessions}>
              <p className={classes.total}>
                {lengths.length > 0 && <strong>{formats.duration(played)} </strong>}
                {t('sessions.in', { count: items.length })}
              </p>
              <DataTable
                label={t('sessions.title')}
                columns={columns}
                groups={[{ key: 'all', name: '', rows: items }]}
                keyOf={keyOf}
                nameOf={({ started_at }) => started_at}
              />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

function useSessionColumns(): readonly Column<Session>[] {
  const t = useTexts('players');
  const formats = useFormats();
  return useMemo(
    (): Column<Session>[] => [
      {
        key: 'started',
        header: t('columns.joined'),
        width: 'minmax(150px, 1fr)',
        phone: 'title',
        cell: ({ started_at, is_start_known }) =>
          is_start_known ? formats.dateTime(started_at) : t('sessions.unknownStart'),
      },
      {
        key: 'ended',
        header: t('columns.left'),
        width: 'minmax(150px, 1fr)',
        phone: 'line',
        cell: ({ ended_at }) => (ended_at === null ? t('sessions.lasts') : formats.dateTime(ended_at)),
      },
      {
        key: 'length',
        header: t('columns.length'),
        width: '120px',
        align: 'end',
        phone: 'aside',
        cell: (session) => {
          const length = lengthOf(session);
          return length === null ? '–' : formats.duration(length);
        },
      },
      {
        key: 'reason',
        header: t('columns.end'),
        width: 'minmax(120px, 1fr)',
        phone: 'none',
        cell: ({ end_reason }) => (end_reason === null ? '–' : t(`ends.${end_reason}`)),
      },
    ],
    [t, formats],
  );
}
