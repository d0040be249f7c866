// Rotates the secret of a webhook.
import { Alert, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useWrite } from '../api/writing.ts';
import { useFormats } from '../shared/formats.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { keepSecret } from './fresh-secret.ts';
import { webhookPaths } from './use-webhook.ts';
import type { WebhookDialogProps } from './webhook-dialogs.tsx';
import classes from './webhooks.module.css';

/** Hours for which the former secret signs too. */
const overlaps = { '1': 'hour', '24': 'day', '168': 'week', '0': 'none' } as const;
type Hours = keyof typeof overlaps;

export function RotateDialog({ webhook, isOpen, onClose }: WebhookDialogProps) {
  const t = useTexts('webhooks');
  const formats = useFormats();
  const [hours, setHours] = useState<Hours>('24');
  const rotate = useWrite('POST /api/webhooks/{webhook_id}/rotate-secret', {
    refreshes: webhookPaths,
    onDone: ({ id, secret }) => {
      keepSecret(id, secret);
      onClose();
    },
  });
  const endsAt = webhook.previous_secret_ends_at;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('rotate.title', { name: webhook.name })}
      action={t('actions.rotate')}
      isDangerous={hours === '0'}
      {...(hours === '0' && { typed: webhook.name })}
      isPending={rotate.isPending}
      problem={<ProblemAlert error={rotate.error} />}
      onConfirm={() =>
        rotate.mutate({
          params: { path: { webhook_id: webhook.id } },
          body: { overlap_hours: Number(hours) },
        })
      }
      onClose={onClose}
    >
      <div className={classes.inDialog}>
        <span>{t('rotate.lead')}</span>
        <NativeSelect
          label={t('rotate.overlap')}
          value={hours}
          data={(Object.keys(overlaps) as Hours[]).map((value) => ({
            value,
            label: t(`rotate.overlaps.${overlaps[value]}`),
          }))}
          onChange={(event) => setHours(event.currentTarget.value as Hours)}
        />
        {endsAt !== null && hours !== '0' && (
          <Alert color="yellow">{t('rotate.stillSigns', { date: formats.dateTime(endsAt) })}</Alert>
        )}
        {hours === '0' && <Alert color="red">{t('rotate.stops')}</Alert>}
      </div>
    </ConfirmDialog>
  );
}
