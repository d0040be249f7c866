// The latest sessions of the period.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import { Title } from '@mantine/core';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { useFormats } from '../shared/formats.ts';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { useInstanceQuery, useInstances } from './filters.tsx';

type Session = Schemas['PlayerSession'];

const keyOf = ({ instance_id, steam_id, started_at, ended_at }: Session) =>
  `${instance_id} ${steam_id} ${started_at} ${ended_at ?? ''}`;

export function SessionList({ from }: { from: string }) {
  const t = useTexts('analytics');
  const instance = useInstanceQuery();
  const sessions = usePages(
    '/api/analytics/sessions',
    { params: { query: { ...instance, from: `${from}T00:00:00.000Z` } } },
    { limit: 25, keepsFormer: true },
  );
  const columns = useSessionColumns();
  return (
    <>
      <Title order={2} size="h4">
        {t('sessions.title')}
      </Title>
      <Loaded
        asked={{ ...sessions, data: sessions.items }}
        waitingFor={t('sessions.title')}
        skeleton={<TableSkeleton />}
      >
        {(items) => (
          <>
            <DataTable
              label={t('sessions.title')}
              columns={columns}
              groups={[{ key: 'all', name: '', rows: items }]}
              keyOf={keyOf}
              nameOf={({ display_name, steam_id }) => display_name ?? steam_id}
            />
            <LoadMore pages={sessions} />
          </>
        )}
      </Loaded>
    </>
  );
}

function useSessionColumns(): readonly Column<Session>[] {
  const t = useTexts('analytics');
  const formats = useFormats();
  const instances = useInstances();
  const mayOpen = useMay('GET /api/instances/{instance_id}/players/{steam_id}');
  return useMemo(
    (): Column<Session>[] => [
      {
        key: 'player',
        header: t('sessions.player'),
        width: 'minmax(160px, 2fr)',
        phone: 'title',
        cell: ({ instance_id, steam_id, display_name }) =>
          mayOpen ? (
            <Link
              to="/servers/$instanceId/players/$steamId"
              params={{ instanceId: instance_id, steamId: steam_id }}
            >
              {display_name ?? steam_id}
            </Link>
          ) : (
            (display_name ?? steam_id)
          ),
      },
      {
        key: 'server',
        header: t('sessions.server'),
        width: 'minmax(100px, 1fr)',
        phone: 'line',
        cell: ({ instance_id }) => instances.find(({ id }) => id === instance_id)?.name ?? '–',
      },
      {
        key: 'started',
        header: t('sessions.started'),
        width: '130px',
        phone: 'line',
        cell: ({ started_at }) => <Time at={started_at} isFocusable={false} />,
      },
      {
        key: 'length',
        header: t('lengths.length'),
        width: '130px',
        phone: 'aside',
        align: 'end',
        cell: ({ duration_seconds, ended_at }) => {
          if (ended_at === null) return <StateText tone="good">{t('sessions.online')}</StateText>;
          return duration_seconds === null ? '–' : formats.duration(duration_seconds);
        },
      },
    ],
    [t, formats, instances, mayOpen],
  );
}
