// The frame of the analytics: its tabs.
import { Outlet } from '@tanstack/react-router';
import { Page } from '../shared/page.tsx';
import { Tabs, type AreaTab } from '../shared/tabs.tsx';
import { useTexts } from '../texts/texts.ts';

export function AnalyticsFrame() {
  const t = useTexts('analytics');
  const tabs: readonly AreaTab[] = [
    { to: '/analytics', name: t('tabs.players'), needs: 'GET /api/analytics/players', isExact: true },
    { to: '/analytics/retention', name: t('tabs.retention'), needs: 'GET /api/analytics/retention' },
    { to: '/analytics/maps', name: t('tabs.maps'), needs: 'GET /api/analytics/maps' },
    { to: '/analytics/peak-hours', name: t('tabs.peakHours'), needs: 'GET /api/analytics/peak-hours' },
    { to: '/analytics/sessions', name: t('tabs.sessions'), needs: 'GET /api/analytics/session-lengths' },
    { to: '/analytics/servers', name: t('tabs.servers'), needs: 'GET /api/analytics/server-stats' },
  ];
  return (
    <Page title={t('title')}>
      <Tabs label={t('tabs.label')} tabs={tabs} />
      <Outlet />
    </Page>
  );
}
