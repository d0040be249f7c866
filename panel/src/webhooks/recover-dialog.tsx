// Sends deliveries again that failed or were cancelled.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { fromLocalInput, localInput } from '../shared/local-time.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { webhookPaths } from './use-webhook.ts';
import type { WebhookDialogProps } from './webhook-dialogs.tsx';
import classes from './webhooks.module.css';

const dayMs = 86_400_000;

export function RecoverDialog({ webhook, isOpen, onClose }: WebhookDialogProps) {
  const t = useTexts('webhooks');
  const [since, setSince] = useState(() => localInput(serverNow() - dayMs));
  const recover = useWrite('POST /api/webhooks/{webhook_id}/recover', {
    refreshes: webhookPaths,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('recover.title', { name: webhook.name })}
      action={t('recover.start')}
      isPending={recover.isPending}
      problem={<ProblemAlert error={recover.error} fields={['/since']} />}
      onConfirm={() => {
        const at = fromLocalInput(since);
        if (at !== null)
          recover.mutate({ params: { path: { webhook_id: webhook.id } }, body: { since: at } });
      }}
      onClose={onClose}
    >
      <div className={classes.inDialog}>
        <span>{t('recover.lead')}</span>
        <TextInput
          type="datetime-local"
          label={t('recover.since')}
          required
          withAsterisk={false}
          value={since}
          error={faultAt(recover.error, '/since')}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
      </div>
    </ConfirmDialog>
  );
}
