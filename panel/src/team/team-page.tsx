// The frame of the team's pages: the title, the main action of the page, and the tabs.
import type { ReactNode } from 'react';
import { Page } from '../shared/page.tsx';
import { Tabs } from '../shared/tabs.tsx';
import { useTexts } from '../texts/texts.ts';

export function TeamPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const t = useTexts('team');
  return (
    <Page title={t('title')} lead={t('lead')} {...(action !== undefined && { action })}>
      <Tabs
        label={t('tabs.label')}
        tabs={[
          // Everyone may see and end their own membership.
          { to: '/team', name: t('tabs.members'), needs: 'DELETE /api/team/membership', isExact: true },
          { to: '/team/roles', name: t('tabs.roles'), needs: 'GET /api/roles' },
          { to: '/team/access', name: t('tabs.access'), needs: 'GET /api/permissions/explain' },
        ]}
      />
      {children}
    </Page>
  );
}
