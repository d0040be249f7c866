// The bill of a reseller for a month, as the reseller itself sees it.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { client } from '../../api/client.ts';
import { useRead } from '../../api/reading.ts';
import { currentMonth, monthOf } from '../../shared/reseller-bill/months.ts';
import { ResellerBill } from '../../shared/reseller-bill/reseller-bill.tsx';
import { useReseller } from './use-reseller.ts';

const route = getRouteApi('/frame/platform/resellers/$resellerId/bill');

export function ResellerBillPage() {
  const { resellerId } = route.useParams();
  const { month: chosen, q } = route.useSearch();
  const navigate = route.useNavigate();
  const month = chosen === '' ? currentMonth() : chosen;
  const params = { path: { reseller_id: resellerId, month } };
  const createdAt = useReseller().data?.created_at;
  const asked = useRead('/api/admin/resellers/{reseller_id}/bills/{month}', { params });
  const search = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, q: next }), replace: true }),
    [navigate],
  );
  return (
    <ResellerBill
      asked={asked}
      month={month}
      {...(createdAt !== undefined && { first: monthOf(createdAt) })}
      onMonth={(next) => void navigate({ search: (former) => ({ ...former, month: next }) })}
      search={q}
      onSearch={search}
      file={`bill-${month}.csv`}
      fetchCsv={async () => {
        const { data } = await client.GET('/api/admin/resellers/{reseller_id}/bills/{month}', {
          params: { ...params, query: { format: 'csv' as const } },
          parseAs: 'blob',
        });
        return data;
      }}
    />
  );
}
