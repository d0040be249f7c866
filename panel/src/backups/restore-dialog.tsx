// Restores a backup, after naming what is overwritten.
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useWrite } from '../api/writing.ts';
import { useInstance } from '../instance/use-instance.ts';
import { useFormats } from '../shared/formats.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './backups.module.css';
import { refreshes, useInstanceId, type Backup } from './backups.ts';

interface RestoreDialogProps {
  backup: Backup;
  onClose: () => void;
}

export function RestoreDialog({ backup, onClose }: RestoreDialogProps) {
  const t = useTexts('backups');
  const formats = useFormats();
  const instanceId = useInstanceId();
  const { data: instance } = useInstance();
  const isUp = instance?.state === 'running' || instance?.state === 'starting';
  const [keepsPresent, setKeepsPresent] = useState(true);
  const [removesLater, setRemovesLater] = useState(false);
  const [stops, setStops] = useState(isUp);
  const restore = useWrite('POST /api/instances/{instance_id}/backups/{backup_id}/restore', {
    refreshes,
    onDone: onClose,
  });
  const server = instance?.name ?? instanceId;
  const time = formats.dateTime(backup.created_at);
  const players = instance?.players ?? 0;
  return (
    <ConfirmDialog
      isOpen
      title={t('restore.title', { time })}
      action={t('actions.restore')}
      isDangerous
      typed={server}
      isPending={restore.isPending}
      problem={<ProblemAlert error={restore.error} />}
      onConfirm={() =>
        restore.mutate({
          params: { path: { instance_id: instanceId, backup_id: backup.id } },
          body: { keep_present: keepsPresent, remove_later: removesLater, stop_instance: stops },
        })
      }
      onClose={onClose}
    >
      {backup.paths === null ? (
        <p>
          {backup.is_partial
            ? t('restore.overwritesSome', { server, time, count: backup.files })
            : t('restore.overwritesAll', { server, time, count: backup.files })}
        </p>
      ) : (
        <>
          <p>{t('restore.overwritesPaths', { server, time })}</p>
          <ul className={classes.paths}>
            {backup.paths.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </>
      )}
      <div className={classes.options}>
        <Checkbox
          label={t('restore.keepPresent')}
          description={keepsPresent ? t('restore.keepPresentHint') : t('restore.losesPresent')}
          checked={keepsPresent}
          onChange={(event) => setKeepsPresent(event.currentTarget.checked)}
        />
        <Checkbox
          label={t('restore.removeLater')}
          description={t('restore.removeLaterHint')}
          checked={removesLater}
          onChange={(event) => setRemovesLater(event.currentTarget.checked)}
        />
        <Checkbox
          label={t('restore.stop')}
          description={isUp ? t('restore.stopHint', { count: players }) : t('restore.stopped')}
          checked={stops}
          onChange={(event) => setStops(event.currentTarget.checked)}
        />
      </div>
    </ConfirmDialog>
  );
}
