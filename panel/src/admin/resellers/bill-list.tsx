// The recorded bills of all resellers, with CSV of those that match.
import { NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import { useMemo } from 'react';
import { client } from '../../api/client.ts';
import type { Schemas } from '../../api/operations.ts';
import { usePages } from '../../api/reading.ts';
import type { Column } from '../../shared/data-table/columns.ts';
import { DownloadButton } from '../../shared/download-button.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { useFormats } from '../../shared/formats.ts';
import { PagedTable } from '../../shared/paged-table.tsx';
import { currentMonth, monthOf, monthPlus } from '../../shared/reseller-bill/months.ts';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { everyMs } from '../every-ms.ts';

type Summary = Schemas['ResellerBillSummary'];

const route = getRouteApi('/frame/platform/resellers/bills');

export function BillList() {
  const t = useTexts('admin-resellers');
  const formats = useFormats();
  const { reseller, month } = route.useSearch();
  const navigate = route.useNavigate();
  const resellers = usePages('/api/admin/resellers', {}, { all: true }).items ?? [];
  const query = {
    ...(reseller !== '' && { reseller_id: reseller }),
    ...(month !== '' && { month }),
  };
  const bills = usePages(
    '/api/admin/reseller-bills',
    { params: { query } },
    { every: everyMs, keepsFormer: true },
  );
  const columns = useColumns();
  return (
    <>
      <FilterBar>
        <NativeSelect
          aria-label={t('columns.name')}
          value={reseller}
          data={[
            { value: '', label: t('bills.anyReseller') },
            ...resellers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: (former) => ({ ...former, reseller: value }), replace: true })
          }
        />
        <NativeSelect
          aria-label={t('bills.month')}
          value={month}
          data={[
            { value: '', label: t('bills.anyMonth') },
            ...pastMonths(resellers, month).map((value) => ({ value, label: formats.month(value) })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: (former) => ({ ...former, month: value }), replace: true })
          }
        />
      </FilterBar>
      <PagedTable
        label={t('tabs.bills')}
        pages={bills}
        columns={columns}
        keyOf={(bill) => `${bill.reseller_id} ${bill.month}`}
        nameOf={(bill) => `${bill.reseller_name} ${bill.month}`}
        isFiltered={reseller !== '' || month !== ''}
        empty={{ icon: ReceiptText, title: t('bills.empty.title'), detail: t('bills.empty.detail') }}
      />
      {bills.items !== undefined && bills.items.length > 0 && (
        <DownloadButton
          file="reseller-bills.csv"
          fetch={async () => {
            const { data } = await client.GET('/api/admin/reseller-bills', {
              params: { query: { ...query, format: 'csv' as const } },
              parseAs: 'blob',
            });
            return data;
          }}
        >
          {t('bills.csv')}
        </DownloadButton>
      )}
    </>
  );
}

/** Months that are over, latest first, since the first reseller exists; with the chosen one in any case. */
function pastMonths(resellers: readonly Schemas['Reseller'][], chosen: string): string[] {
  const first = resellers.map(({ created_at }) => monthOf(created_at)).sort()[0];
  const months: string[] = [];
  for (
    let month = monthPlus(currentMonth(), -1);
    first !== undefined && month >= first;
    month = monthPlus(month, -1)
  )
    months.push(month);
  return chosen === '' || months.includes(chosen) ? months : [chosen, ...months];
}

function useColumns(): readonly Column<Summary>[] {
  const t = useTexts('admin-resellers');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        key: 'month',
        header: t('bills.month'),
        width: 'minmax(130px, 1fr)',
        phone: 'title',
        cell: ({ reseller_id, reseller_name, month }) => (
          <Link
            to="/platform/resellers/$resellerId/bill"
            params={{ resellerId: reseller_id }}
            search={{ month }}
            aria-label={`${formats.month(month)}, ${reseller_name}`}
          >
            {formats.month(month)}
          </Link>
        ),
      },
      {
        key: 'reseller',
        header: t('columns.name'),
        width: 'minmax(150px, 1.6fr)',
        phone: 'line',
        cell: ({ reseller_name }) => reseller_name,
      },
      {
        key: 'recorded',
        header: t('bills.recorded'),
        width: '130px',
        phone: 'line',
        cell: ({ recorded_at }) => <Time at={recorded_at} isFocusable={false} />,
      },
      {
        key: 'licenses',
        header: t('columns.licenses'),
        width: '90px',
        align: 'end',
        phone: 'line',
        cell: ({ license_count }) => formats.number(license_count),
      },
      {
        key: 'charged',
        header: t('bills.charged'),
        width: 'minmax(170px, 1fr)',
        align: 'end',
        phone: 'line',
        cell: ({ charged_days, billing_unit }) => t(`bills.days.${billing_unit}`, { count: charged_days }),
      },
      {
        key: 'total',
        header: t('bills.total'),
        width: '130px',
        align: 'end',
        phone: 'aside',
        cell: ({ total }) => <b>{formats.money(total)}</b>,
      },
    ],
    [t, formats],
  );
}
