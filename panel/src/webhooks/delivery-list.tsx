// The log of deliveries of a webhook.
import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SearchX, Send } from 'lucide-react';
import { useMemo } from 'react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { isOutcomeNear } from '../api/pending.ts';
import { usePages } from '../api/reading.ts';
import { useEventTypes } from '../events/event-types.ts';
import { useEventWords } from '../events/event-words.ts';
import { useMay } from '../api/may.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useFormats } from '../shared/formats.ts';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { noFilters, queryOf, statuses, type DeliverySearch } from './delivery-search.ts';
import { DeliveryStatus, useOutcome } from './delivery-words.tsx';
import type { Delivery } from './webhook.ts';

const route = getRouteApi('/frame/licensed/webhooks/$webhookId/');

/** Events do not report deliveries, and people wait for that of a test. */
const pendingMs = 1_500;
const defaultMs = 10_000;

const everyFor = (deliveries: readonly Delivery[]): number =>
  deliveries.some((each) => isOutcomeNear(each, serverNow())) ? pendingMs : defaultMs;

const keyOf = ({ id }: Delivery) => id;
const nameOf = ({ event }: Delivery) => event;

export function DeliveryList() {
  const t = useTexts('webhooks');
  const { webhookId } = route.useParams();
  const filters = route.useSearch();
  const query = useMemo(() => queryOf(filters, serverNow()), [filters]);
  const deliveries = usePages(
    '/api/webhooks/{webhook_id}/deliveries',
    { params: { path: { webhook_id: webhookId }, query } },
    { everyFor, keepsFormer: true },
  );
  const columns = useDeliveryColumns();
  return (
    <>
      <Filters />
      <Loaded
        asked={{ ...deliveries, data: deliveries.items }}
        waitingFor={t('deliveries.title')}
        skeleton={<TableSkeleton rows={4} />}
      >
        {(items) =>
          items.length === 0 ? (
            <NoDeliveries />
          ) : (
            <DataTable
              label={t('deliveries.title')}
              columns={columns}
              groups={[{ key: 'all', name: '', rows: items }]}
              keyOf={keyOf}
              nameOf={nameOf}
            />
          )
        }
      </Loaded>
      <LoadMore pages={deliveries} />
    </>
  );
}

function Filters() {
  const t = useTexts('webhooks');
  const words = useEventWords();
  const { status, event, since } = route.useSearch();
  const navigate = route.useNavigate();
  const mayReadTypes = useMay('GET /api/events/types');
  const { data: types } = useEventTypes(mayReadTypes);
  const set = (change: Partial<DeliverySearch>) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  return (
    <FilterBar>
      <NativeSelect
        aria-label={t('deliveries.status')}
        value={status}
        data={[
          { value: '', label: t('deliveries.anyStatus') },
          ...statuses.map((value) => ({ value, label: t(`deliveries.statuses.${value}`) })),
        ]}
        onChange={({ currentTarget: { value } }) => set({ status: value as DeliverySearch['status'] })}
      />
      <NativeSelect
        aria-label={t('deliveries.event')}
        maw={280}
        value={event}
        data={[
          { value: '', label: t('deliveries.anyEvent') },
          { value: 'test', label: t('deliveries.test') },
          ...(types?.data ?? []).map(({ type }) => ({
            value: type,
            label: `${words.area(type.split('.')[0] ?? '')}: ${type}`,
          })),
        ]}
        onChange={({ currentTarget: { value } }) => set({ event: value })}
      />
      <NativeSelect
        aria-label={t('deliveries.since')}
        value={since}
        data={[
          { value: '', label: t('deliveries.anyTime') },
          ...(['hour', 'day', 'week'] as const).map((value) => ({
            value,
            label: t(`deliveries.${value}`),
          })),
        ]}
        onChange={({ currentTarget: { value } }) => set({ since: value as DeliverySearch['since'] })}
      />
    </FilterBar>
  );
}

function NoDeliveries() {
  const t = useTexts('webhooks');
  const common = useTexts('common');
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  if (Object.values(filters).every((value) => value === ''))
    return (
      <EmptyState icon={Send} title={t('deliveries.empty.title')}>
        {t('deliveries.empty.detail')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={SearchX}
      title={t('deliveries.noMatch.title')}
      action={
        <Button variant="default" onClick={() => void navigate({ search: noFilters })}>
          {common('actions.clearFilters')}
        </Button>
      }
    >
      {t('deliveries.noMatch.detail')}
    </EmptyState>
  );
}

function useDeliveryColumns(): readonly Column<Delivery>[] {
  const t = useTexts('webhooks');
  const formats = useFormats();
  const words = useEventWords();
  const outcome = useOutcome();
  return [
    {
      key: 'event',
      header: t('deliveries.columns.event'),
      width: 'minmax(200px, 2fr)',
      phone: 'title',
      cell: ({ id, webhook_id, event }) => (
        <Link
          to="/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ webhookId: webhook_id, deliveryId: id }}
          title={words.type(event)}
        >
          {event === 'test' ? t('deliveries.test') : event}
        </Link>
      ),
    },
    {
      key: 'status',
      header: t('deliveries.columns.status'),
      width: '150px',
      phone: 'aside',
      cell: ({ status }) => <DeliveryStatus status={status} />,
    },
    {
      key: 'response',
      header: t('deliveries.columns.response'),
      width: 'minmax(160px, 2fr)',
      phone: 'line',
      cell: ({ last_outcome, last_status_code }) =>
        last_outcome === null ? '–' : outcome(last_outcome, last_status_code),
    },
    {
      key: 'attempts',
      header: t('deliveries.columns.attempts'),
      width: '90px',
      align: 'end',
      phone: 'line',
      cell: ({ attempt_count }) => formats.number(attempt_count),
    },
    {
      key: 'created',
      header: t('deliveries.columns.created'),
      width: '130px',
      phone: 'line',
      cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
    },
  ];
}
