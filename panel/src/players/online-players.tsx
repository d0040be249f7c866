// Who is online right now.
import { getRouteApi } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { AskingTheGame } from '../instance/asking-the-game.tsx';
import type { Column } from '../shared/data-table/columns.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { PlayerLink, PlayerList } from './player-list.tsx';
import { PlayerMenu, useMayManagePlayers } from './player-menu.tsx';
import { matches } from './player-search.ts';
import type { ListProps } from './player-task.ts';
import { useOnline } from './use-online.ts';

type Online = Schemas['OnlinePlayer'];

const route = getRouteApi('/frame/licensed/servers/$instanceId/players');

const keyOf = ({ steam_id }: Online) => steam_id;
const nameOf = ({ name }: Online) => name;

export function OnlinePlayers({ instanceId, onTask }: ListProps) {
  const t = useTexts('players');
  const asked = useOnline(instanceId);
  const { search } = route.useSearch();
  const columns = useOnlineColumns(onTask);
  return (
    <AskingTheGame error={asked.error} why={t('online.notRunning')} whyNot={t('online.notSupported')}>
      <Loaded asked={asked} waitingFor={t('views.online')} skeleton={<TableSkeleton rows={4} />}>
        {({ data }) => (
          <PlayerList
            label={t('views.online')}
            rows={data}
            shown={data.filter(({ name, steam_id }) => matches(search, name, steam_id))}
            columns={columns}
            defaultSort="name"
            keyOf={keyOf}
            nameOf={nameOf}
            count={t('online.count', { count: data.length })}
            empty={
              <EmptyState icon={Users} title={t('online.emptyTitle')}>
                {t('online.empty')}
              </EmptyState>
            }
          />
        )}
      </Loaded>
    </AskingTheGame>
  );
}

function useOnlineColumns(onTask: ListProps['onTask']): readonly Column<Online>[] {
  const t = useTexts('players');
  const formats = useFormats();
  const mayManage = useMayManagePlayers();
  return useMemo(
    (): Column<Online>[] => [
      {
        key: 'name',
        header: t('columns.player'),
        width: 'minmax(140px, 2fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ steam_id, name }) => <PlayerLink steamId={steam_id} name={name} />,
      },
      {
        key: 'steam',
        header: t('columns.steamId'),
        width: '170px',
        phone: 'line',
        cell: ({ steam_id }) => <span className="mono">{steam_id}</span>,
      },
      {
        key: 'connected',
        header: t('columns.connected'),
        width: '120px',
        align: 'end',
        phone: 'line',
        sortBy: ({ connected_seconds }) => connected_seconds,
        cell: ({ connected_seconds }) => formats.duration(connected_seconds),
      },
      {
        key: 'ping',
        header: t('columns.ping'),
        width: '80px',
        align: 'end',
        phone: 'line',
        sortBy: ({ ping_ms }) => ping_ms,
        cell: ({ ping_ms }) =>
          formats.number(ping_ms, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' }),
      },
      ...(mayManage
        ? [
            {
              key: 'actions',
              header: t('columns.actions'),
              width: '70px',
              align: 'end' as const,
              phone: 'aside' as const,
              cell: ({ steam_id, name }: Online) => (
                <PlayerMenu
                  steamId={steam_id}
                  name={name}
                  kinds={['message', 'kick', 'ban']}
                  onChoose={onTask}
                />
              ),
            },
          ]
        : []),
    ],
    [t, formats, mayManage, onTask],
  );
}
