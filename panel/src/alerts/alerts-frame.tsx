// The frame of the alerts: their tabs.
import { Outlet } from '@tanstack/react-router';
import { Page } from '../shared/page.tsx';
import { Tabs } from '../shared/tabs.tsx';
import { useTexts } from '../texts/texts.ts';

export function AlertsFrame() {
  const t = useTexts('alerts');
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Tabs
        label={t('tabs.label')}
        tabs={[
          { to: '/alerts', name: t('tabs.alerts'), needs: 'GET /api/alerts', isExact: true },
          { to: '/alerts/rules', name: t('tabs.rules'), needs: 'GET /api/alerts/config' },
          {
            to: '/alerts/channels',
            name: t('tabs.channels'),
            needs: 'GET /api/notifications/channels',
          },
        ]}
      />
      <Outlet />
    </Page>
  );
}
