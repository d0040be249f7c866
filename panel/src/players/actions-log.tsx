// Everything that was done to players of the server, by whom, and the outcome.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { ActionStatus } from './action-status.tsx';
import { PlayerLink, PlayerList, useSetSearch } from './player-list.tsx';
import { actionKinds, isSteamId, matches, type PlayersSearch } from './player-search.ts';
import type { ListProps } from './player-task.ts';

type Action = Schemas['PlayerAction'];

const route = getRouteApi('/frame/licensed/servers/$instanceId/players');
const perPage = 50;

const keyOf = ({ id }: Action) => id;
const nameOf = ({ steam_id }: Action) => steam_id;

export function ActionsLog({ instanceId }: ListProps) {
  const t = useTexts('players');
  const { search, kind } = route.useSearch();
  const set = useSetSearch();
  const wanted = search.trim();
  const actions = usePages(
    '/api/player-actions',
    {
      params: {
        query: {
          instance_id: instanceId,
          ...(kind !== '' && { kind }),
          ...(isSteamId(wanted) && { steam_id: wanted }),
        },
      },
    },
    { limit: perPage, keepsFormer: true },
  );
  const columns = useActionColumns();
  const rows = actions.items ?? [];
  return (
    <Loaded
      asked={{ ...actions, data: actions.items }}
      waitingFor={t('views.actions')}
      skeleton={<TableSkeleton rows={4} />}
    >
      {() => (
        <>
          <PlayerList
            label={t('views.actions')}
            rows={rows}
            shown={rows.filter(({ steam_id, text, requested_by }) =>
              matches(search, steam_id, text, requested_by),
            )}
            columns={columns}
            defaultSort=""
            keyOf={keyOf}
            nameOf={nameOf}
            count={t('actions.count', { count: rows.length })}
            filters={
              <NativeSelect
                aria-label={t('actions.kind')}
                value={kind}
                data={[
                  { value: '', label: t('actions.anyKind') },
                  ...actionKinds.map((each) => ({ value: each, label: t(`kinds.${each}`) })),
                ]}
                onChange={(event) => set({ kind: event.currentTarget.value as PlayersSearch['kind'] })}
              />
            }
            empty={
              <EmptyState icon={ScrollText} title={t('actions.emptyTitle')}>
                {t('actions.empty')}
              </EmptyState>
            }
          />
          <LoadMore pages={actions} />
        </>
      )}
    </Loaded>
  );
}

/** Newest first, as the platform pages them. */
function useActionColumns(): readonly Column<Action>[] {
  const t = useTexts('players');
  return useMemo(
    (): Column<Action>[] => [
      {
        key: 'player',
        header: t('columns.player'),
        width: '180px',
        phone: 'title',
        cell: ({ steam_id }) => <PlayerLink steamId={steam_id} name={null} />,
      },
      {
        key: 'kind',
        header: t('columns.action'),
        width: '100px',
        phone: 'line',
        cell: ({ kind }) => t(`kinds.${kind}`),
      },
      {
        key: 'status',
        header: t('columns.status'),
        width: '130px',
        phone: 'aside',
        cell: ({ status }) => <ActionStatus status={status} />,
      },
      {
        key: 'text',
        header: t('columns.text'),
        width: 'minmax(120px, 2fr)',
        phone: 'line',
        cell: ({ text, error }) => {
          const words = error?.detail ?? text ?? '–';
          return <span title={words}>{words}</span>;
        },
      },
      {
        key: 'by',
        header: t('columns.by'),
        width: 'minmax(100px, 1fr)',
        phone: 'line',
        cell: ({ requested_by }) => requested_by ?? t('bySystem'),
      },
      {
        key: 'at',
        header: t('columns.at'),
        width: '110px',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ],
    [t],
  );
}
