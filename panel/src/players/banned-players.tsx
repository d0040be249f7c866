// The bans that are in force.
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { PlayerLink, PlayerList } from './player-list.tsx';
import { useMayManagePlayers } from './player-menu.tsx';
import { matches } from './player-search.ts';
import type { ListProps } from './player-task.ts';

type Action = Schemas['PlayerAction'];

const route = getRouteApi('/frame/licensed/servers/$instanceId/players');

const keyOf = ({ id }: Action) => id;
const nameOf = ({ steam_id }: Action) => steam_id;
const isInForce = ({ status, ended_at }: Action) => status === 'succeeded' && ended_at === null;

export function BannedPlayers({ instanceId, onTask }: ListProps) {
  const t = useTexts('players');
  const { search } = route.useSearch();
  const bans = usePages(
    '/api/player-actions',
    { params: { query: { instance_id: instanceId, kind: 'ban' } } },
    { all: true },
  );
  const rows = useMemo(() => (bans.items ?? []).filter(isInForce), [bans.items]);
  const columns = useBanColumns(onTask);
  return (
    <Loaded
      // Bans in force can be older than any number of ended ones: only the last page shows that there are none.
      asked={{ ...bans, data: bans.isComplete || rows.length > 0 ? bans.items : undefined }}
      waitingFor={t('views.banned')}
      skeleton={<TableSkeleton rows={4} />}
    >
      {() => (
        <>
          <PlayerList
            label={t('views.banned')}
            rows={rows}
            shown={rows.filter(({ steam_id, text, requested_by }) =>
              matches(search, steam_id, text, requested_by),
            )}
            columns={columns}
            defaultSort="-since"
            keyOf={keyOf}
            nameOf={nameOf}
            count={t('banned.count', { count: rows.length })}
            empty={
              <EmptyState icon={ShieldCheck} title={t('banned.emptyTitle')}>
                {t('banned.empty')}
              </EmptyState>
            }
          />
        </>
      )}
    </Loaded>
  );
}

function useBanColumns(onTask: ListProps['onTask']): readonly Column<Action>[] {
  const t = useTexts('players');
  const mayManage = useMayManagePlayers();
  return useMemo(
    (): Column<Action>[] => [
      {
        key: 'player',
        header: t('columns.player'),
        width: '180px',
        phone: 'title',
        sortBy: nameOf,
        cell: ({ steam_id }) => <PlayerLink steamId={steam_id} name={null} />,
      },
      {
        key: 'reason',
        header: t('columns.reason'),
        width: 'minmax(120px, 2fr)',
        phone: 'line',
        sortBy: ({ text }) => text,
        cell: ({ text }) => <span title={text ?? ''}>{text ?? '–'}</span>,
      },
      {
        key: 'since',
        header: t('columns.since'),
        width: '120px',
        phone: 'line',
        sortBy: ({ created_at }) => created_at,
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      {
        key: 'until',
        header: t('columns.until'),
        width: '120px',
        phone: 'line',
        sortBy: ({ until }) => until ?? '9999',
        cell: ({ until }) =>
          until === null ? t('duration.forever') : <Time at={until} isFocusable={false} />,
      },
      {
        key: 'by',
        header: t('columns.by'),
        width: 'minmax(100px, 1fr)',
        phone: 'none',
        isWide: true,
        sortBy: ({ requested_by }) => requested_by,
        cell: ({ requested_by }) => requested_by ?? '–',
      },
      ...(mayManage
        ? [
            {
              key: 'actions',
              header: t('columns.actions'),
              width: '120px',
              align: 'end' as const,
              phone: 'aside' as const,
              cell: ({ steam_id }: Action) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('unbanWho', { name: steam_id })}
                  onClick={() => onTask({ kind: 'unban', steamId: steam_id, name: steam_id })}
                >
                  {t('do.unban')}
                </Button>
              ),
            },
          ]
        : []),
    ],
    [t, mayManage, onTask],
  );
}
