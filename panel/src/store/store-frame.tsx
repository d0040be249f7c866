// The frame of the store: whether it is open, the way to its public page, and the tabs.
import { Button } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { StateText } from '@gantry/ui/state-text.tsx';
import { Page } from '../shared/page.tsx';
import { Tabs, type AreaTab } from '../shared/tabs.tsx';
import { useTexts } from '../texts/texts.ts';
import { useSettings } from './use-store.ts';

export function StoreFrame() {
  const t = useTexts('store');
  const settings = useSettings().data;
  const tabs: AreaTab[] = [
    { to: '/webstore', name: t('tabs.overview'), needs: 'GET /api/webstore/config', isExact: true },
    { to: '/webstore/orders', name: t('tabs.orders'), needs: 'GET /api/webstore/transactions' },
    { to: '/webstore/deliveries', name: t('tabs.deliveries'), needs: 'GET /api/webstore/deliveries' },
    { to: '/webstore/items', name: t('tabs.items'), needs: 'GET /api/webstore/items' },
    { to: '/webstore/categories', name: t('tabs.categories'), needs: 'GET /api/webstore/categories' },
    { to: '/webstore/settings', name: t('tabs.settings'), needs: 'GET /api/webstore/config' },
  ];
  return (
    <Page
      title={t('title')}
      {...(settings !== undefined && {
        status: (
          <StateText tone={settings.is_open ? 'good' : 'idle'}>
            {settings.is_open ? t('open') : t('closed')}
          </StateText>
        ),
      })}
      {...(settings?.is_open === true && {
        action: (
          <Button
            component="a"
            href={settings.public_url}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<ExternalLink size={16} aria-hidden="true" />}
          >
            {t('visit')}
          </Button>
        ),
      })}
    >
      <Tabs label={t('tabs.label')} tabs={tabs} />
      <Outlet />
    </Page>
  );
}
