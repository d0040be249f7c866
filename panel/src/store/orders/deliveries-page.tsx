// Deliveries to players on all servers, and the details of one.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { PackageCheck, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { usePages } from '../../api/reading.ts';
import type { Column } from '../../shared/data-table/columns.ts';
import { DataTable } from '../../shared/data-table/data-table.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { LoadMore } from '../../shared/load-more.tsx';
import { TableSkeleton } from '../../shared/table-skeleton.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { deliveryStatuses, type DeliverySearch } from '../searches.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import classes from './orders.module.css';
import { usePlayerNames } from './player-names.ts';

type Delivery = Schemas['StoreDelivery'];

const route = getRouteApi('/frame/licensed/webstore/deliveries');

export function DeliveriesPage() {
  const t = useTexts('store');
  const { status, instance, delivery } = route.useSearch();
  const navigate = route.useNavigate();
  const set = useCallback(
    (change: Partial<DeliverySearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const query = {
    ...(status !== '' && { status }),
    ...(instance !== '' && { instance_id: instance }),
  };
  const deliveries = usePages('/api/webstore/deliveries', { params: { query } }, { keepsFormer: true });
  const isFiltered = status !== '' || instance !== '';
  return (
    <>
      <Filters status={status} instance={instance} onChange={set} />
      <Loaded
        asked={{ ...deliveries, data: deliveries.items }}
        waitingFor={t('tabs.deliveries')}
        skeleton={<TableSkeleton />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              icon={isFiltered ? SearchX : PackageCheck}
              title={isFiltered ? t('deliveries.noMatch.title') : t('deliveries.empty.title')}
            >
              {isFiltered ? t('deliveries.noMatch.detail') : t('deliveries.empty.detail')}
            </EmptyState>
          ) : (
            <>
              <DeliveryTable deliveries={items} onOpen={(id) => set({ delivery: id })} />
              <LoadMore pages={deliveries} />
            </>
          )
        }
      </Loaded>
      <DeliveryDialog deliveryId={delivery} onOpen={(id) => set({ delivery: id })} />
    </>
  );
}

interface FiltersProps {
  status: DeliverySearch['status'];
  instance: string;
  onChange: (change: Partial<DeliverySearch>) => void;
}

function Filters({ status, instance, onChange }: FiltersProps) {
  const t = useTexts('store');
  const mayReadServers = useMay('GET /api/fleet/instances');
  const servers = usePages('/api/fleet/instances', {}, { all: true, enabled: mayReadServers }).items ?? [];
  return (
    <div className={classes.filters} role="search">
      <NativeSelect
        aria-label={t('deliveries.status')}
        value={status}
        data={[
          { value: '', label: t('deliveries.anyStatus') },
          ...deliveryStatuses.map((value) => ({ value, label: t(`deliveryStatus.${value}`) })),
        ]}
        onChange={(event) => onChange({ status: event.currentTarget.value as DeliverySearch['status'] })}
      />
      {(servers.length > 1 || instance !== '') && (
        <NativeSelect
          aria-label={t('deliveries.server')}
          value={instance}
          data={[
            { value: '', label: t('deliveries.anyServer') },
            ...servers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => onChange({ instance: event.currentTarget.value })}
        />
      )}
    </div>
  );
}

interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  onOpen: (id: string) => void;
}

function DeliveryTable({ deliveries, onOpen }: DeliveryTableProps) {
  const t = useTexts('store');
  const names = usePlayerNames();
  const columns = useMemo<Column<Delivery>[]>(
    () => [
      {
        key: 'item',
        header: t('deliveries.columns.item'),
        width: 'minmax(140px, 1.4fr)',
        phone: 'title',
        cell: ({ id, item_name, kind }) => (
          <button type="button" className="link cut" onClick={() => onOpen(id)}>
            {kind === 'revocation' ? t('deliveries.revoked', { item: item_name }) : item_name}
          </button>
        ),
      },
      {
        key: 'status',
        header: t('deliveries.columns.status'),
        width: 'minmax(190px, 1fr)',
        phone: 'aside',
        cell: ({ status }) => <DeliveryStatus status={status} />,
      },
      {
        key: 'player',
        header: t('deliveries.columns.player'),
        width: 'minmax(160px, 1fr)',
        phone: 'line',
        cell: ({ steam_id }) =>
          names.has(steam_id) ? (
            <span className="cut" title={steam_id}>
              {names.get(steam_id)}
            </span>
          ) : (
            <span className="mono">{steam_id}</span>
          ),
      },
      {
        key: 'server',
        header: t('deliveries.columns.server'),
        width: 'minmax(100px, 1fr)',
        phone: 'line',
        cell: ({ instance_name }) => <span className="cut">{instance_name}</span>,
      },
      {
        key: 'attempts',
        header: t('deliveries.columns.attempts'),
        width: '84px',
        align: 'end',
        phone: 'line',
        isWide: true,
        cell: ({ attempt_count }) => attempt_count,
      },
      {
        key: 'created',
        header: t('deliveries.columns.created'),
        width: 'minmax(110px, 0.8fr)',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ],
    [t, onOpen, names],
  );
  return (
    <DataTable
      label={t('tabs.deliveries')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: deliveries }]}
      keyOf={({ id }) => id}
      nameOf={({ item_name }) => item_name}
    />
  );
}
