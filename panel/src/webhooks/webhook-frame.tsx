// One webhook: its state, its actions, and the tabs.
import { Button, Group } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Power, Send } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../api/may.ts';
import { useWrite } from '../api/writing.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Tabs } from '../shared/tabs.tsx';
import { useTexts } from '../texts/texts.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SecretNotice } from './secret-notice.tsx';
import { StateNotice } from './state-notice.tsx';
import { useWebhook, webhookPaths } from './use-webhook.ts';
import { DeleteDialog, DisableDialog, EnableDialog } from './webhook-dialogs.tsx';
import { WebhookMenu, type WebhookAction } from './webhook-menu.tsx';
import { WebhookState } from './webhook-state.tsx';
import type { Webhook } from './webhook.ts';

export function WebhookFrame() {
  const t = useTexts('webhooks');
  const asked = useWebhook();
  return (
    <Loaded isPage asked={asked} waitingFor={t('columns.name')}>
      {({ document }) => <Framed webhook={document} />}
    </Loaded>
  );
}

function Framed({ webhook }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const mayChange = useMay('PATCH /api/webhooks/{webhook_id}');
  const mayTest = useMay('POST /api/webhooks/{webhook_id}/test');
  const [asking, setAsking] = useState<WebhookAction | null>(null);
  const close = () => setAsking(null);
  const test = useWrite('POST /api/webhooks/{webhook_id}/test', { refreshes: webhookPaths });
  return (
    <Page
      title={webhook.name}
      status={<WebhookState webhook={webhook} />}
      lead={webhook.url}
      above={<BackLink to="/webhooks">{t('back')}</BackLink>}
      action={
        <Group gap="xs">
          <WebhookMenu webhook={webhook} onAsk={setAsking} />
          {mayTest && webhook.is_enabled && (
            <Button
              leftSection={<Send size={15} aria-hidden="true" />}
              loading={test.isPending}
              onClick={() => test.mutate({ params: { path: { webhook_id: webhook.id } } })}
            >
              {t('actions.test')}
            </Button>
          )}
          {mayChange && !webhook.is_enabled && (
            <Button leftSection={<Power size={15} aria-hidden="true" />} onClick={() => setAsking('enable')}>
              {t('actions.enable')}
            </Button>
          )}
        </Group>
      }
    >
      <SecretNotice webhook={webhook} />
      <ProblemAlert error={test.error} />
      <StateNotice webhook={webhook} />
      <Tabs
        label={t('tabs.label')}
        params={{ webhookId: webhook.id }}
        tabs={[
          {
            to: '/webhooks/$webhookId',
            name: t('tabs.deliveries'),
            needs: 'GET /api/webhooks/{webhook_id}/deliveries',
            isExact: true,
          },
          {
            to: '/webhooks/$webhookId/settings',
            name: t('tabs.settings'),
            needs: 'GET /api/webhooks/{webhook_id}',
          },
        ]}
      />
      <Outlet />
      <EnableDialog webhook={webhook} isOpen={asking === 'enable'} onClose={close} />
      <DisableDialog webhook={webhook} isOpen={asking === 'disable'} onClose={close} />
      <DeleteDialog webhook={webhook} isOpen={asking === 'delete'} onClose={close} />
      <RotateDialog webhook={webhook} isOpen={asking === 'rotate'} onClose={close} />
      <ReplayDialog webhook={webhook} isOpen={asking === 'replay'} onClose={close} />
      <RecoverDialog webhook={webhook} isOpen={asking === 'recover'} onClose={close} />
    </Page>
  );
}
