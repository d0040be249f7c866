// The orders of the store, filtered by the address, and as CSV.
import { Badge, NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ReceiptText, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { client } from '../../api/client.ts';
import type { Schemas } from '../../api/operations.ts';
import { usePages } from '../../api/reading.ts';
import type { Column } from '../../shared/data-table/columns.ts';
import { DataTable } from '../../shared/data-table/data-table.tsx';
import { DownloadButton } from '../../shared/download-button.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { useFormats } from '../../shared/formats.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { LoadMore } from '../../shared/load-more.tsx';
import { TableSkeleton } from '../../shared/table-skeleton.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { orderStatuses, type OrderSearch } from '../searches.ts';
import { useItems } from '../use-store.ts';
import { OrderDays } from './order-days.tsx';
import { OrderStatus } from './order-status.tsx';
import classes from './orders.module.css';

type Order = Schemas['StoreOrder'];

const route = getRouteApi('/frame/licensed/webstore/orders');

const steamId = /^\d{17}$/;

function queryOf({ player, status, item, from, to }: OrderSearch) {
  return {
    ...(steamId.test(player) && { steam_id: player }),
    ...(status !== '' && { status }),
    ...(item !== '' && { item_id: item }),
    ...(from !== '' && { created_from: startOfDay(from, 0) }),
    ...(to !== '' && { created_to: startOfDay(to, 1) }),
  };
}

/** Days are the viewer's own. */
function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

export function OrdersPage() {
  const t = useTexts('store');
  const search = route.useSearch();
  const query = queryOf(search);
  const orders = usePages('/api/webstore/transactions', { params: { query } }, { keepsFormer: true });
  const isFiltered = Object.values(search).some((value) => value !== '');
  return (
    <>
      <Filters search={search} />
      {search.player !== '' && !steamId.test(search.player) && (
        <p className="hint" role="status">
          {t('orders.wholeSteamId')}
        </p>
      )}
      <Loaded
        asked={{ ...orders, data: orders.items }}
        waitingFor={t('tabs.orders')}
        skeleton={<TableSkeleton />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              icon={isFiltered ? SearchX : ReceiptText}
              title={isFiltered ? t('orders.noMatch.title') : t('orders.empty.title')}
            >
              {isFiltered ? t('orders.noMatch.detail') : t('orders.empty.detail')}
            </EmptyState>
          ) : (
            <>
              <OrderTable orders={items} />
              <LoadMore pages={orders} />
              <DownloadButton
                file="orders.csv"
                fetch={async () => {
                  const { data } = await client.GET('/api/webstore/transactions', {
                    params: { query: { ...query, format: 'csv' as const } },
                    parseAs: 'blob',
                  });
                  return data;
                }}
              >
                {isFiltered ? t('orders.exportFiltered') : t('orders.export')}
              </DownloadButton>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Filters({ search }: { search: OrderSearch }) {
  const t = useTexts('store');
  const navigate = route.useNavigate();
  const items = useItems();
  const set = useCallback(
    (change: Partial<OrderSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const setPlayer = useCallback((next: string) => set({ player: next.trim() }), [set]);
  return (
    <FilterBar search={search.player} onSearch={setPlayer} placeholder={t('orders.search')}>
      <NativeSelect
        aria-label={t('orders.status')}
        value={search.status}
        data={[
          { value: '', label: t('orders.anyStatus') },
          ...orderStatuses.map((status) => ({ value: status, label: t(`orderStatus.${status}`) })),
        ]}
        onChange={(event) => set({ status: event.currentTarget.value as OrderSearch['status'] })}
      />
      {(items.items ?? []).length > 1 && (
        <NativeSelect
          aria-label={t('orders.item')}
          value={search.item}
          data={[
            { value: '', label: t('orders.anyItem') },
            ...(items.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => set({ item: event.currentTarget.value })}
        />
      )}
      <OrderDays search={search} onChange={set} />
    </FilterBar>
  );
}

function OrderTable({ orders }: { orders: readonly Order[] }) {
  const t = useTexts('store');
  const formats = useFormats();
  const columns = useMemo<Column<Order>[]>(
    () => [
      {
        key: 'player',
        header: t('orders.columns.player'),
        width: 'minmax(150px, 1.4fr)',
        phone: 'title',
        cell: ({ id, player_name, steam_id }) => (
          <Link className="cut" to="/webstore/orders/$orderId" params={{ orderId: id }}>
            {player_name ?? steam_id}
          </Link>
        ),
      },
      {
        key: 'status',
        header: t('orders.columns.status'),
        width: 'minmax(180px, 1fr)',
        phone: 'aside',
        cell: ({ status }) => <OrderStatus status={status} />,
      },
      {
        key: 'items',
        header: t('orders.columns.items'),
        width: 'minmax(140px, 2fr)',
        phone: 'line',
        cell: ({ lines }) => <span className="cut">{lines.length === 0 ? '–' : itemsOf(lines)}</span>,
      },
      {
        key: 'total',
        header: t('orders.columns.total'),
        width: 'minmax(110px, 0.8fr)',
        align: 'end',
        phone: 'line',
        cell: ({ total, is_test }) => (
          <span className={classes.total}>
            {is_test && (
              <Badge size="xs" variant="light" color="yellow">
                {t('test')}
              </Badge>
            )}
            {formats.money(total)}
          </span>
        ),
      },
      {
        key: 'created',
        header: t('orders.columns.created'),
        width: 'minmax(110px, 0.8fr)',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ],
    [t, formats],
  );
  return (
    <DataTable
      label={t('tabs.orders')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: orders }]}
      keyOf={({ id }) => id}
      nameOf={({ player_name, steam_id }) => player_name ?? steam_id}
    />
  );
}

const itemsOf = (lines: Order['lines']): string =>
  lines
    .map(({ quantity, item_name }) => (quantity === 1 ? item_name : `${quantity} × ${item_name}`))
    .join(', ');
