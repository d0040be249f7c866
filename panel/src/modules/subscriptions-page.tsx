// The license's subscriptions to modules, with their next charge.
import { Button, Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CalendarSync } from 'lucide-react';
import { useMemo } from 'react';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { useTexts } from '../texts/texts.ts';
import { usePriceWords } from './price-words.ts';
import { SubscriptionDialog } from './subscription-dialog.tsx';

type Subscription = Schemas['ModuleSubscription'];

export const subscriptionTones: Record<Subscription['status'], Tone> = {
  trialing: 'good',
  active: 'good',
  past_due: 'bad',
  cancelled: 'idle',
  expired: 'idle',
};

const route = getRouteApi('/frame/licensed/modules/subscriptions');

export function SubscriptionsPage() {
  const t = useTexts('modules');
  const { subscription } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (id: string) => void navigate({ search: { subscription: id }, replace: true });
  const subscriptions = usePages('/api/modules/subscriptions');
  return (
    <>
      <Loaded
        asked={{ ...subscriptions, data: subscriptions.items }}
        waitingFor={t('tabs.subscriptions')}
        skeleton={<Skeleton height={160} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={CalendarSync} title={t('subscriptions.empty.title')}>
              {t('subscriptions.empty.detail')}
            </EmptyState>
          ) : (
            <>
              <SubscriptionTable subscriptions={items} onOpen={open} />
              <LoadMore pages={subscriptions} />
            </>
          )
        }
      </Loaded>
      <SubscriptionDialog subscriptionId={subscription} onClose={() => open('')} />
    </>
  );
}

interface SubscriptionTableProps {
  subscriptions: readonly Subscription[];
  onOpen: (id: string) => void;
}

function SubscriptionTable({ subscriptions, onOpen }: SubscriptionTableProps) {
  const t = useTexts('modules');
  const formats = useFormats();
  const common = useTexts('common');
  const words = usePriceWords();
  const columns = useMemo<Column<Subscription>[]>(
    () => [
      {
        key: 'name',
        header: t('subscriptions.module'),
        width: 'minmax(120px, 1.2fr)',
        phone: 'title',
        cell: ({ name }) => <span className="cut">{name}</span>,
      },
      {
        key: 'status',
        header: t('subscriptions.state'),
        width: 'minmax(200px, 1fr)',
        phone: 'line',
        cell: ({ status }) => (
          <StateText tone={subscriptionTones[status]}>{t(`subscriptions.status.${status}`)}</StateText>
        ),
      },
      {
        key: 'price',
        header: t('subscriptions.price'),
        width: 'minmax(130px, 1fr)',
        phone: 'line',
        cell: ({ price, period }) => words.per(price, period),
      },
      {
        key: 'next',
        header: t('subscriptions.next'),
        width: 'minmax(240px, 1.2fr)',
        phone: 'line',
        cell: ({ renews_at, ends_at }) =>
          renews_at !== null
            ? t('subscriptions.renews', { date: formats.date(renews_at) })
            : ends_at !== null
              ? t('subscriptions.ends', { date: formats.date(ends_at) })
              : '–',
      },
      {
        key: 'open',
        header: common('table.actions'),
        width: '110px',
        align: 'end',
        phone: 'aside',
        cell: ({ id, name }) => (
          <Button
            size="xs"
            variant="default"
            aria-label={t('subscriptions.manageNamed', { name })}
            onClick={() => onOpen(id)}
          >
            {t('catalog.manage')}
          </Button>
        ),
      },
    ],
    // The words change with the texts.
    [t, common, formats, words, onOpen],
  );
  return (
    <DataTable
      label={t('tabs.subscriptions')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: subscriptions }]}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
    />
  );
}
