// Runs a schedule at once, after naming what that does.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import { useActionWords } from './action-words.ts';
import type { Action, Schedule } from './schedule.ts';

interface RunDialogProps {
  schedule: Schedule;
  server: string | null;
  onClose: () => void;
}

export function RunDialog({ schedule, server, onClose }: RunDialogProps) {
  const t = useTexts('schedules');
  const formats = useFormats();
  const actionWords = useActionWords();
  const { id, name, action } = schedule;
  const where = server ?? t('theServer');
  const run = useWrite('POST /api/schedules/{schedule_id}/runs', {
    refreshes: ['/api/schedules/{schedule_id}/runs', '/api/wipes'],
    onDone: onClose,
  });
  const wipeSeconds = action.kind === 'wipe' ? (action.wipe.countdown_seconds ?? 0) : null;
  return (
    <ConfirmDialog
      isOpen
      title={t('run.title', { name })}
      action={t('run.action')}
      isDangerous={isDangerous(action)}
      {...(action.kind === 'wipe' && { typed: server ?? name })}
      isPending={run.isPending}
      problem={<ProblemAlert error={run.error} />}
      onConfirm={() => run.mutate({ params: { path: { schedule_id: id } } })}
      onClose={onClose}
    >
      <p>{t('run.detail', { action: actionWords(withoutCountdown(action)), server: where })}</p>
      {wipeSeconds !== null && (
        <p>
          {wipeSeconds === 0
            ? t('run.wipeAtOnce')
            : t('run.wipeAfter', { time: formats.duration(wipeSeconds) })}
        </p>
      )}
      {(action.kind === 'restart' || action.kind === 'stop') && <p>{t('run.disconnects')}</p>}
      <p>{t('run.nextUnchanged')}</p>
    </ConfirmDialog>
  );
}

const isDangerous = ({ kind }: Action): boolean => kind === 'wipe' || kind === 'restart' || kind === 'stop';

/** A run on request has no countdown before its action. */
const withoutCountdown = (action: Action): Action =>
  action.kind === 'restart' || action.kind === 'stop' ? { kind: action.kind } : action;
