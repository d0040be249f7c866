// The frame of the resellers: their tabs.
import { Outlet } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { ButtonLink } from '../../shared/button-link.tsx';
import { Page } from '../../shared/page.tsx';
import { Tabs } from '../../shared/tabs.tsx';
import { useTexts } from '../../texts/texts.ts';

export function ResellersFrame() {
  const t = useTexts('admin-resellers');
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      action={
        <ButtonLink to="/platform/resellers/new" leftSection={<Plus size={16} />}>
          {t('create')}
        </ButtonLink>
      }
    >
      <Tabs
        label={t('tabs.label')}
        tabs={[
          {
            to: '/platform/resellers',
            name: t('tabs.resellers'),
            needs: 'GET /api/admin/resellers',
            isExact: true,
          },
          {
            to: '/platform/resellers/bills',
            name: t('tabs.bills'),
            needs: 'GET /api/admin/reseller-bills',
          },
        ]}
      />
      <Outlet />
    </Page>
  );
}
