// The frame of the modules with its tabs.
import { Outlet } from '@tanstack/react-router';
import { Page } from '../shared/page.tsx';
import { Tabs, type AreaTab } from '../shared/tabs.tsx';
import { useTexts } from '../texts/texts.ts';

export function ModulesFrame() {
  const t = useTexts('modules');
  const tabs: AreaTab[] = [
    { to: '/modules', name: t('tabs.catalog'), needs: 'GET /api/modules', isExact: true },
    { to: '/modules/owned', name: t('tabs.owned'), needs: 'GET /api/modules/owned' },
    { to: '/modules/subscriptions', name: t('tabs.subscriptions'), needs: 'GET /api/modules/subscriptions' },
    { to: '/modules/purchases', name: t('tabs.purchases'), needs: 'GET /api/modules/purchases' },
  ];
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Tabs label={t('tabs.label')} tabs={tabs} />
      <Outlet />
    </Page>
  );
}
