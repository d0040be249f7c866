// Asks for the details of an action on a player, and requests it.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { ReadPath, Schemas } from '../api/operations.ts';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { BanDuration, secondsOf, defaultDuration, type Duration } from './ban-duration.tsx';
import type { PlayerTask } from './player-task.ts';

interface PlayerDialogProps {
  instanceId: string;
  task: PlayerTask | null;
  onRequested: (requested: { id: string; words: string }) => void;
  onClose: () => void;
}

const refreshes: readonly ReadPath[] = [
  '/api/commands',
  '/api/player-actions',
  '/api/instances/{instance_id}/players/{steam_id}',
];

export function PlayerDialog({ task, ...props }: PlayerDialogProps) {
  // The fields begin empty for each task.
  if (task === null) return null;
  return <Asking key={`${task.kind} ${task.steamId}`} task={task} {...props} />;
}

const maxLength = 200;

function Asking({ instanceId, task, onRequested, onClose }: PlayerDialogProps & { task: PlayerTask }) {
  const t = useTexts('players');
  const { kind, name, steamId } = task;
  const [text, setText] = useState('');
  const [duration, setDuration] = useState<Duration>(defaultDuration);
  const options = {
    refreshes,
    onDone: ({ id }: Schemas['Command']) => {
      onRequested({ id, words: t(`requested.${kind}`, { name }) });
      onClose();
    },
  };
  const kick = useWrite('POST /api/instances/{instance_id}/players/{steam_id}/kick', options);
  const ban = useWrite('POST /api/instances/{instance_id}/players/{steam_id}/ban', options);
  const unban = useWrite('POST /api/instances/{instance_id}/players/{steam_id}/unban', options);
  const message = useWrite('POST /api/instances/{instance_id}/players/{steam_id}/message', options);
  const { error, isPending } = { kick, ban, unban, message }[kind];
  const params = { path: { instance_id: instanceId, steam_id: steamId } };
  const reason = text.trim() === '' ? {} : { reason: text.trim() };
  const request = () => {
    if (kind === 'kick') kick.mutate({ params, body: reason });
    else if (kind === 'unban') unban.mutate({ params, body: reason });
    else if (kind === 'message') message.mutate({ params, body: { text: text.trim() } });
    else {
      const seconds = secondsOf(duration);
      ban.mutate({
        params,
        body: { reason: text.trim(), ...(seconds !== null && { duration_seconds: seconds }) },
      });
    }
  };
  const field = kind === 'message' ? '/text' : '/reason';
  return (
    <ConfirmDialog
      isOpen
      title={t(`dialog.${kind}Title`, { name })}
      action={t(`do.${kind}`)}
      isDangerous={kind === 'kick' || kind === 'ban'}
      isPending={isPending}
      problem={<ProblemAlert error={error} fields={[field, '/duration_seconds']} />}
      onConfirm={request}
      onClose={onClose}
    >
      <p>{t(`dialog.${kind}Lead`)}</p>
      <TextInput
        label={kind === 'message' ? t('dialog.text') : t('dialog.reason')}
        description={t(`dialog.${kind}Hint`)}
        value={text}
        maxLength={maxLength}
        data-autofocus
        error={faultAt(error, field)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {kind === 'ban' && (
        <BanDuration duration={duration} onChange={setDuration} fault={faultAt(error, '/duration_seconds')} />
      )}
    </ConfirmDialog>
  );
}
