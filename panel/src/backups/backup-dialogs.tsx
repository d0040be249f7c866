// The dialogs about backups, one at a time.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { useInstance } from '../instance/use-instance.ts';
import { Form } from '../shared/form.tsx';
import { useFormats } from '../shared/formats.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { maxNoteLength, refreshes, useInstanceId, type Asking, type Backup } from './backups.ts';
import { CreateForm } from './create-form.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

interface BackupDialogsProps {
  asking: Asking | null;
  onClose: () => void;
}

export function BackupDialogs({ asking, onClose }: BackupDialogsProps) {
  const t = useTexts('backups');
  switch (asking?.kind) {
    case 'restore':
      return <RestoreDialog backup={asking.backup} onClose={onClose} />;
    case 'pin':
      return <PinDialog backup={asking.backup} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog backup={asking.backup} onClose={onClose} />;
    case 'note':
      return (
        <Dialog isOpen title={t('note.title')} onClose={onClose}>
          <NoteForm backup={asking.backup} onClose={onClose} />
        </Dialog>
      );
    case 'create':
      return (
        <Dialog isOpen title={t('create.title')} onClose={onClose}>
          <CreateForm onClose={onClose} />
        </Dialog>
      );
    case undefined:
      return null;
  }
}

interface BackupProps {
  backup: Backup;
  onClose: () => void;
}

function NoteForm({ backup, onClose }: BackupProps) {
  const t = useTexts('backups');
  const common = useTexts('common');
  const instanceId = useInstanceId();
  const [note, setNote] = useState(backup.note ?? '');
  const update = useWrite('PATCH /api/instances/{instance_id}/backups/{backup_id}', {
    refreshes,
    onDone: onClose,
  });
  return (
    <div className="dialogForm">
      <Form
        submit={common('actions.save')}
        isPending={update.isPending}
        error={update.error}
        fields={['/note']}
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({
            params: { path: { instance_id: instanceId, backup_id: backup.id } },
            body: { note: note.trim() === '' ? null : note.trim() },
          });
        }}
      >
        <TextInput
          label={t('columns.note')}
          description={t('note.hint')}
          maxLength={maxNoteLength}
          value={note}
          data-autofocus
          error={faultAt(update.error, '/note')}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </Form>
    </div>
  );
}

function PinDialog({ backup, onClose }: BackupProps) {
  const t = useTexts('backups');
  const formats = useFormats();
  const instanceId = useInstanceId();
  const update = useWrite('PATCH /api/instances/{instance_id}/backups/{backup_id}', {
    refreshes,
    onDone: onClose,
  });
  const verb = backup.is_pinned ? 'unpin' : 'pin';
  return (
    <ConfirmDialog
      isOpen
      title={t(`${verb}.title`, { time: formats.dateTime(backup.created_at) })}
      action={t(`actions.${verb}`)}
      isPending={update.isPending}
      problem={<ProblemAlert error={update.error} />}
      onConfirm={() =>
        update.mutate({
          params: { path: { instance_id: instanceId, backup_id: backup.id } },
          body: { is_pinned: !backup.is_pinned },
        })
      }
      onClose={onClose}
    >
      {t(`${verb}.detail`)}
    </ConfirmDialog>
  );
}

function DeleteDialog({ backup, onClose }: BackupProps) {
  const t = useTexts('backups');
  const formats = useFormats();
  const instanceId = useInstanceId();
  const { data: instance } = useInstance();
  const remove = useWrite('DELETE /api/instances/{instance_id}/backups/{backup_id}', {
    refreshes,
    onDone: onClose,
  });
  const time = formats.dateTime(backup.created_at);
  return (
    <ConfirmDialog
      isOpen
      title={t('delete.title', { time })}
      action={t('actions.delete')}
      isDangerous
      typed={instance?.name ?? instanceId}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.mutate({ params: { path: { instance_id: instanceId, backup_id: backup.id } } })}
      onClose={onClose}
    >
      <p>
        {t('delete.detail', {
          kind: t(`kinds.${backup.kind}`),
          size: formats.bytes(backup.size),
          server: instance?.name ?? instanceId,
          time,
        })}
      </p>
      {backup.note !== null && <p>{t('delete.note', { note: backup.note })}</p>}
    </ConfirmDialog>
  );
}
