// A list of players with its search and order in the address.
import { getRouteApi, Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { sorted, type Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useTexts } from '../texts/texts.ts';
import { isSteamId, type PlayersSearch } from './player-search.ts';

const route = getRouteApi('/frame/licensed/servers/$instanceId/players');

interface PlayerListProps<Row> {
  label: string;
  rows: readonly Row[];
  /** Those that the search leaves. */
  shown: readonly Row[];
  columns: readonly Column<Row>[];
  defaultSort: string;
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** More filters. */
  filters?: ReactNode;
  count: string;
  empty: ReactNode;
}

export function useSetSearch() {
  const navigate = route.useNavigate();
  return useCallback(
    (change: Partial<PlayersSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
}

export function PlayerList<Row>(props: PlayerListProps<Row>) {
  const { label, rows, shown, columns, defaultSort, keyOf, nameOf, filters, count, empty } = props;
  const t = useTexts('players');
  const { search, sort } = route.useSearch();
  const set = useSetSearch();
  const setSearch = useCallback((next: string) => set({ search: next }), [set]);
  const order = sort === '' ? defaultSort : sort;
  return (
    <>
      <FilterBar search={search} onSearch={setSearch} placeholder={t('search')} count={count}>
        {filters}
      </FilterBar>
      {rows.length === 0 && search === '' ? (
        empty
      ) : shown.length === 0 ? (
        <NoMatch search={search.trim()} />
      ) : (
        <DataTable
          label={label}
          columns={columns}
          groups={[{ key: 'all', name: '', rows: sorted(shown, columns, order) }]}
          keyOf={keyOf}
          nameOf={nameOf}
          sort={order}
          onSort={(next) => set({ sort: next })}
        />
      )}
    </>
  );
}

/** A player who was never there can be banned, too. */
function NoMatch({ search }: { search: string }) {
  const t = useTexts('players');
  const { instanceId } = route.useParams();
  if (isSteamId(search))
    return (
      <EmptyState
        icon={SearchX}
        title={t('noMatch.title')}
        action={
          <Link to="/servers/$instanceId/players/$steamId" params={{ instanceId, steamId: search }}>
            {t('noMatch.open')}
          </Link>
        }
      >
        {t('noMatch.steamId', { steamId: search })}
      </EmptyState>
    );
  return (
    <EmptyState icon={SearchX} title={t('noMatch.title')}>
      {t('noMatch.detail')}
    </EmptyState>
  );
}

/** The name of a player as a link to the record. */
export function PlayerLink({ steamId, name }: { steamId: string; name: string | null }) {
  const { instanceId } = route.useParams();
  return (
    <Link to="/servers/$instanceId/players/$steamId" params={{ instanceId, steamId }}>
      {name ?? steamId}
    </Link>
  );
}
