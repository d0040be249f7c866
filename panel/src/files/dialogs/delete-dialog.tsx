// Deletes files and folders, after naming them.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useWork, write } from '../../api/writing.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from '../files.module.css';
import { refreshFolders, usePlace, type InstanceFile } from '../folder.ts';

interface DeleteDialogProps {
  files: readonly InstanceFile[];
  onClose: () => void;
}

export function DeleteDialog({ files, onClose }: DeleteDialogProps) {
  const t = useTexts('files');
  const { instanceId, name: server } = usePlace();
  const remove = useWork(
    async (_: null) => {
      for (const { path, kind } of files)
        await write('DELETE /api/instances/{instance_id}/files', {
          params: {
            path: { instance_id: instanceId },
            query: { path, ...(kind === 'directory' && { recursive: true }) },
          },
        });
    },
    { onDone: onClose, onEnd: refreshFolders },
  );
  const hasFolders = files.some(({ kind }) => kind === 'directory');
  const [only] = files;
  const name = files.length === 1 && only !== undefined ? only.name : null;
  return (
    <ConfirmDialog
      isOpen
      title={name === null ? t('delete.titleMany', { count: files.length }) : t('delete.titleOne', { name })}
      action={t('delete.action')}
      isDangerous
      typed={name ?? t('delete.typed', { count: files.length })}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.mutate(null)}
      onClose={onClose}
    >
      <ul className={classes.names}>
        {files.map(({ path, kind }) => (
          <li key={path}>{kind === 'directory' ? t('delete.folder', { path }) : path}</li>
        ))}
      </ul>
      <p>{hasFolders ? t('delete.withContents', { server }) : t('delete.detail', { server })}</p>
    </ConfirmDialog>
  );
}
