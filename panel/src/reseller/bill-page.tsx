// The reseller's own bill of a month.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { Page } from '../shared/page.tsx';
import { currentMonth } from '../shared/reseller-bill/months.ts';
import { ResellerBill } from '../shared/reseller-bill/reseller-bill.tsx';
import { useTexts } from '../texts/texts.ts';
import { hostClient } from './host-client.ts';
import { useBill } from './reading.ts';

const route = getRouteApi('/reseller/bill');

export function BillPage() {
  const t = useTexts('reseller');
  const { month: chosen, q } = route.useSearch();
  const navigate = route.useNavigate();
  const month = chosen === '' ? currentMonth() : chosen;
  const asked = useBill(month);
  const search = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, q: next }), replace: true }),
    [navigate],
  );
  return (
    <Page title={t('bill')} lead={t('billLead')}>
      <ResellerBill
        asked={asked}
        month={month}
        onMonth={(next) => void navigate({ search: (former) => ({ ...former, month: next }) })}
        search={q}
        onSearch={search}
        file={`bill-${month}.csv`}
        fetchCsv={async () => {
          const client = hostClient();
          const { data } = await client.GET('/api/host/billing/{month}', {
            params: { path: { month }, query: { format: 'csv' as const } },
            parseAs: 'blob',
          });
          return data;
        }}
      />
    </Page>
  );
}
