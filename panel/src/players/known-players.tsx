// Players who were there, from their sessions, latest first.
import { getRouteApi } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Column } from '../shared/data-table/columns.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { PluginDownload } from '../shared/plugin-download.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { PlayerLink, PlayerList } from './player-list.tsx';
import { PlayerMenu, useMayManagePlayers } from './player-menu.tsx';
import { isSteamId, matches } from './player-search.ts';
import type { ListProps } from './player-task.ts';
import { lengthOf } from './session-length.ts';

type Session = Schemas['PlayerSession'];

interface Known {
  steamId: string;
  name: string | null;
  isOnline: boolean;
  lastSeenAt: string;
  /** Seconds, of the sessions that were read. */
  playtime: number;
  sessions: number;
}

const route = getRouteApi('/frame/licensed/servers/$instanceId/players');
const perPage = 100;

const keyOf = ({ steamId }: Known) => steamId;
const nameOf = ({ name, steamId }: Known) => name ?? steamId;

export function KnownPlayers({ instanceId, onTask }: ListProps) {
  const t = useTexts('players');
  const { search } = route.useSearch();
  const wanted = search.trim();
  // A complete SteamID is looked up in all sessions, anything else in those that were read.
  const sessions = usePages(
    '/api/analytics/sessions',
    {
      params: {
        query: { instance_id: instanceId, ...(isSteamId(wanted) && { steam_id: wanted }) },
      },
    },
    { limit: perPage, keepsFormer: true },
  );
  const known = useMemo(() => playersOf(sessions.items ?? []), [sessions.items]);
  const columns = useKnownColumns(onTask);
  return (
    <Loaded
      asked={{ ...sessions, data: sessions.items }}
      waitingFor={t('views.known')}
      skeleton={<TableSkeleton rows={4} />}
    >
      {(items) => (
        <>
          <PlayerList
            label={t('views.known')}
            rows={known}
            shown={known.filter(({ name, steamId }) => matches(search, name, steamId))}
            columns={columns}
            defaultSort="-seen"
            keyOf={keyOf}
            nameOf={nameOf}
            count={t('known.count', { count: known.length })}
            empty={
              <EmptyState icon={History} title={t('known.emptyTitle')} action={<PluginDownload />}>
                {t('known.empty')}
              </EmptyState>
            }
          />
          {items.length > 0 && (
            <p className="hint">
              {sessions.hasNextPage
                ? t('known.ofLatest', { count: items.length })
                : t('known.ofAll', { count: items.length })}
            </p>
          )}
          <LoadMore pages={sessions} />
        </>
      )}
    </Loaded>
  );
}

function playersOf(sessions: readonly Session[]): Known[] {
  const players = new Map<string, Known>();
  for (const session of sessions) {
    const { steam_id, display_name, started_at, ended_at } = session;
    const seenAt = ended_at ?? started_at;
    const former = players.get(steam_id);
    players.set(steam_id, {
      steamId: steam_id,
      name: former?.name ?? display_name,
      isOnline: former?.isOnline === true || ended_at === null,
      lastSeenAt: former !== undefined && former.lastSeenAt > seenAt ? former.lastSeenAt : seenAt,
      playtime: (former?.playtime ?? 0) + (lengthOf(session) ?? 0),
      sessions: (former?.sessions ?? 0) + 1,
    });
  }
  return [...players.values()];
}

function useKnownColumns(onTask: ListProps['onTask']): readonly Column<Known>[] {
  const t = useTexts('players');
  const formats = useFormats();
  const mayManage = useMayManagePlayers();
  return useMemo(
    (): Column<Known>[] => [
      {
        key: 'name',
        header: t('columns.player'),
        width: 'minmax(140px, 2fr)',
        phone: 'title',
        sortBy: nameOf,
        cell: ({ steamId, name }) => <PlayerLink steamId={steamId} name={name} />,
      },
      {
        key: 'steam',
        header: t('columns.steamId'),
        width: '170px',
        phone: 'none',
        cell: ({ steamId }) => <span className="mono">{steamId}</span>,
      },
      {
        key: 'seen',
        header: t('columns.lastSeen'),
        width: '120px',
        phone: 'line',
        sortBy: ({ isOnline, lastSeenAt }) => (isOnline ? '9999' : lastSeenAt),
        cell: ({ isOnline, lastSeenAt }) =>
          isOnline ? (
            <StateText tone="good">{t('state.online')}</StateText>
          ) : (
            <Time at={lastSeenAt} isFocusable={false} />
          ),
      },
      {
        key: 'sessions',
        header: t('columns.sessions'),
        width: '90px',
        align: 'end',
        phone: 'line',
        sortBy: ({ sessions }) => sessions,
        cell: ({ sessions }) => formats.number(sessions),
      },
      {
        key: 'playtime',
        header: t('columns.playtime'),
        width: '110px',
        align: 'end',
        phone: 'line',
        sortBy: ({ playtime }) => playtime,
        cell: ({ playtime }) => (playtime === 0 ? '–' : formats.duration(playtime)),
      },
      ...(mayManage
        ? [
            {
              key: 'actions',
              header: t('columns.actions'),
              width: '70px',
              align: 'end' as const,
              phone: 'aside' as const,
              cell: (known: Known) => (
                <PlayerMenu
                  steamId={known.steamId}
                  name={nameOf(known)}
                  kinds={known.isOnline ? ['message', 'kick', 'ban'] : ['ban', 'unban']}
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
