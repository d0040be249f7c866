// Asks before a webhook is enabled, disabled or deleted.
import { Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { webhookPaths } from './use-webhook.ts';
import type { Webhook } from './webhook.ts';
import classes from './webhooks.module.css';

export interface WebhookDialogProps {
  webhook: Webhook;
  isOpen: boolean;
  onClose: () => void;
}

export function EnableDialog({ webhook, isOpen, onClose }: WebhookDialogProps) {
  const t = useTexts('webhooks');
  const [isWithMissed, setIsWithMissed] = useState(true);
  const enable = useWrite('PATCH /api/webhooks/{webhook_id}', { refreshes: webhookPaths, onDone: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('enable.title', { name: webhook.name })}
      action={t('actions.enable')}
      isPending={enable.isPending}
      problem={<ProblemAlert error={enable.error} />}
      onConfirm={() =>
        enable.mutate({
          params: { path: { webhook_id: webhook.id } },
          body: { is_enabled: true, deliver_missed: isWithMissed },
        })
      }
      onClose={onClose}
    >
      <div className={classes.inDialog}>
        <span>{t('enable.lead')}</span>
        <Checkbox
          label={t('enable.missed')}
          description={t('enable.missedHint')}
          checked={isWithMissed}
          onChange={(event) => setIsWithMissed(event.currentTarget.checked)}
        />
      </div>
    </ConfirmDialog>
  );
}

export function DisableDialog({ webhook, isOpen, onClose }: WebhookDialogProps) {
  const t = useTexts('webhooks');
  const disable = useWrite('PATCH /api/webhooks/{webhook_id}', { refreshes: webhookPaths, onDone: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('disable.title', { name: webhook.name })}
      action={t('actions.disable')}
      isPending={disable.isPending}
      problem={<ProblemAlert error={disable.error} />}
      onConfirm={() =>
        disable.mutate({ params: { path: { webhook_id: webhook.id } }, body: { is_enabled: false } })
      }
      onClose={onClose}
    >
      {t('disable.lead')}
    </ConfirmDialog>
  );
}

export function DeleteDialog({ webhook, isOpen, onClose }: WebhookDialogProps) {
  const t = useTexts('webhooks');
  const navigate = useNavigate();
  const remove = useWrite('DELETE /api/webhooks/{webhook_id}', {
    refreshes: ['/api/webhooks'],
    onDone: () => void navigate({ to: '/webhooks', ignoreBlocker: true }),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('delete.title', { name: webhook.name })}
      action={t('actions.delete')}
      isDangerous
      typed={webhook.name}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.mutate({ params: { path: { webhook_id: webhook.id } } })}
      onClose={onClose}
    >
      {t('delete.lead', { url: webhook.url })}
    </ConfirmDialog>
  );
}
