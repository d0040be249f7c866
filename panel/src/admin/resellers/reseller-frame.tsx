// The frame of one reseller: its state, its settings and its bill.
import { Skeleton } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { BackLink } from '../../shared/back-link.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shared/page.tsx';
import { Tabs } from '../../shared/tabs.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ResellerStatus } from './reseller-words.tsx';
import { useReseller } from './use-reseller.ts';

export function ResellerFrame() {
  const t = useTexts('admin-resellers');
  return (
    <Loaded isPage asked={useReseller()} waitingFor={t('columns.name')} skeleton={<Skeleton height={320} />}>
      {({ id, name, status }) => (
        <Page
          title={name}
          status={<ResellerStatus status={status} />}
          above={<BackLink to="/platform/resellers">{t('title')}</BackLink>}
        >
          <Tabs
            label={name}
            params={{ resellerId: id }}
            tabs={[
              {
                to: '/platform/resellers/$resellerId',
                name: t('tabs.settings'),
                needs: 'GET /api/admin/resellers/{reseller_id}',
                isExact: true,
              },
              {
                to: '/platform/resellers/$resellerId/bill',
                name: t('tabs.bill'),
                needs: 'GET /api/admin/resellers/{reseller_id}/bills/{month}',
              },
            ]}
          />
          <Outlet />
        </Page>
      )}
    </Loaded>
  );
}
