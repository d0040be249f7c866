// The less frequent actions on a webhook.
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import { useMay } from '../api/may.ts';
import { useTexts } from '../texts/texts.ts';
import type { Webhook } from './webhook.ts';

export type WebhookAction = 'enable' | 'disable' | 'delete' | 'rotate' | 'replay' | 'recover';

interface WebhookMenuProps {
  webhook: Webhook;
  onAsk: (action: WebhookAction) => void;
}

export function WebhookMenu({ webhook, onAsk }: WebhookMenuProps) {
  const t = useTexts('webhooks');
  const common = useTexts('common');
  const mayChange = useMay('PATCH /api/webhooks/{webhook_id}');
  const may: Readonly<Record<WebhookAction, boolean>> = {
    replay: useMay('POST /api/webhooks/{webhook_id}/replay') && webhook.is_enabled,
    recover: useMay('POST /api/webhooks/{webhook_id}/recover') && webhook.is_enabled,
    rotate: useMay('POST /api/webhooks/{webhook_id}/rotate-secret'),
    enable: false,
    disable: mayChange && webhook.is_enabled,
    delete: useMay('DELETE /api/webhooks/{webhook_id}'),
  };
  const offered = (Object.keys(may) as WebhookAction[]).filter((action) => may[action]);
  if (offered.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={common('actions.more')}>
          <Ellipsis size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map((action) => (
          <Menu.Item
            key={action}
            {...(action === 'delete' && { color: 'red' })}
            onClick={() => onAsk(action)}
          >
            {t(`actions.${action}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
