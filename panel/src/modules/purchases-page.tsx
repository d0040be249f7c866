// Everything that was charged for modules.
import { ReceiptText } from 'lucide-react';
import { useMemo } from 'react';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';

type Purchase = Schemas['ModulePurchase'];

export function PurchasesPage() {
  const t = useTexts('modules');
  const purchases = usePages('/api/modules/purchases');
  return (
    <Loaded
      asked={{ ...purchases, data: purchases.items }}
      waitingFor={t('tabs.purchases')}
      skeleton={<TableSkeleton rows={3} />}
    >
      {(items) =>
        items.length === 0 ? (
          <EmptyState icon={ReceiptText} title={t('purchases.empty.title')}>
            {t('purchases.empty.detail')}
          </EmptyState>
        ) : (
          <>
            <PurchaseTable purchases={items} />
            <LoadMore pages={purchases} />
          </>
        )
      }
    </Loaded>
  );
}

function PurchaseTable({ purchases }: { purchases: readonly Purchase[] }) {
  const t = useTexts('modules');
  const formats = useFormats();
  const columns = useMemo<Column<Purchase>[]>(
    () => [
      {
        key: 'name',
        header: t('subscriptions.module'),
        width: 'minmax(140px, 1.4fr)',
        phone: 'title',
        cell: ({ name }) => <span className="cut">{name}</span>,
      },
      {
        key: 'amount',
        header: t('purchases.amount'),
        width: 'minmax(90px, 0.7fr)',
        align: 'end',
        phone: 'aside',
        cell: ({ amount }) => formats.money(amount),
      },
      {
        key: 'period',
        header: t('purchases.period'),
        width: 'minmax(200px, 1.6fr)',
        phone: 'line',
        cell: ({ period }) =>
          period === null
            ? t('purchases.once')
            : t('purchases.fromTo', { from: formats.date(period.from), to: formats.date(period.to) }),
      },
      {
        key: 'by',
        header: t('purchases.by'),
        width: 'minmax(140px, 1.2fr)',
        phone: 'line',
        cell: ({ purchased_by }) => <span className="cut">{purchased_by}</span>,
      },
      {
        key: 'date',
        header: t('purchases.date'),
        width: 'minmax(110px, 0.8fr)',
        phone: 'line',
        cell: ({ created_at }) => formats.date(created_at),
      },
    ],
    [t, formats],
  );
  return (
    <DataTable
      label={t('tabs.purchases')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: purchases }]}
      keyOf={({ transaction_id }) => transaction_id}
      nameOf={({ name }) => name}
    />
  );
}
