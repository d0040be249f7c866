// Deletes files and folders, after naming them.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { write } from '../../api/writing.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { useTexts } from '../../texts/texts.ts';
import { usePlace, type InstanceFile } from '../folder.ts';
import { useEachFile } from './each-file.ts';
import { FileNames } from './file-names.tsx';

interface DeleteDialogProps {
  files: readonly InstanceFile[];
  onClose: () => void;
}

export function DeleteDialog({ files, onClose }: DeleteDialogProps) {
  const t = useTexts('files');
  const common = useTexts('common');
  const { instanceId, name: server } = usePlace();
  const remove = useEachFile(
    files,
    ({ path, kind }, _: null) =>
      write('DELETE /api/instances/{instance_id}/files', {
        params: {
          path: { instance_id: instanceId },
          query: { path, ...(kind === 'directory' && { recursive: true }) },
        },
      }),
    onClose,
  );
  const hasFolders = files.some(({ kind }) => kind === 'directory');
  const [only] = files;
  const name = files.length === 1 && only !== undefined ? only.name : null;
  return (
    <ConfirmDialog
      isOpen
      title={name === null ? t('delete.titleMany', { count: files.length }) : t('delete.titleOne', { name })}
      action={remove.results.size > 0 ? common('actions.tryAgain') : t('delete.action')}
      isDangerous
      typed={name ?? t('delete.typed', { count: files.length })}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.run(null)}
      onClose={onClose}
    >
      <FileNames files={files} results={remove.results} isPending={remove.isPending} />
      <p>{hasFolders ? t('delete.withContents', { server }) : t('delete.detail', { server })}</p>
    </ConfirmDialog>
  );
}
