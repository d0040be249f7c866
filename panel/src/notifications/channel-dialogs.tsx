// Asks before a channel is disabled or deleted.
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { ReadPath } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Channel } from './channel.ts';

interface ChannelDialogsProps {
  channel: Channel;
  asking: 'disable' | 'delete' | null;
  onClose: () => void;
}

export const channelPaths: readonly ReadPath[] = [
  '/api/notifications/channels',
  '/api/notifications/channels/{notification_channel_id}',
  '/api/notifications/channels/{notification_channel_id}/notifications',
];

export function ChannelDialogs({ channel: { id, name }, asking, onClose }: ChannelDialogsProps) {
  const t = useTexts('notifications');
  const navigate = useNavigate();
  const path = { notification_channel_id: id };
  const disable = useWrite('PATCH /api/notifications/channels/{notification_channel_id}', {
    refreshes: channelPaths,
    onDone: onClose,
  });
  const remove = useWrite('DELETE /api/notifications/channels/{notification_channel_id}', {
    refreshes: ['/api/notifications/channels'],
    onDone: () => void navigate({ to: '/alerts/channels', ignoreBlocker: true }),
  });
  return (
    <>
      <ConfirmDialog
        isOpen={asking === 'disable'}
        title={t('detail.disableTitle', { name })}
        action={t('detail.disable')}
        isPending={disable.isPending}
        problem={<ProblemAlert error={disable.error} />}
        onConfirm={() => disable.mutate({ params: { path }, body: { is_enabled: false } })}
        onClose={onClose}
      >
        {t('detail.disableLead')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asking === 'delete'}
        title={t('detail.deleteTitle', { name })}
        action={t('detail.delete')}
        isDangerous
        typed={name}
        isPending={remove.isPending}
        problem={<ProblemAlert error={remove.error} />}
        onConfirm={() => remove.mutate({ params: { path } })}
        onClose={onClose}
      >
        {t('detail.deleteLead')}
      </ConfirmDialog>
    </>
  );
}
