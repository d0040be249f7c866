// Moves files and folders to another folder, which is chosen by walking through them.
import { useState } from 'react';
import { useWork, write } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from '../files.module.css';
import { refreshFolders, usePlace, type InstanceFile } from '../folder.ts';
import { pathIn } from '../paths.ts';
import { FolderPicker } from './folder-picker.tsx';

interface MoveFormProps {
  files: readonly InstanceFile[];
  folder: string;
  onClose: () => void;
}

export function MoveForm({ files, folder, onClose }: MoveFormProps) {
  const t = useTexts('files');
  const { instanceId } = usePlace();
  const [target, setTarget] = useState(folder);
  const move = useWork(
    async (folder: string) => {
      for (const { path, name } of files)
        await write('PATCH /api/instances/{instance_id}/files', {
          params: { path: { instance_id: instanceId }, query: { path } },
          body: { new_path: pathIn(folder, name) },
        });
    },
    { onDone: onClose, onEnd: refreshFolders },
  );
  const moved = new Set(files.map(({ path }) => path));
  return (
    <Form
      submit={t('move.action')}
      isPending={move.isPending}
      isDisabled={target === folder}
      error={move.error}
      onSubmit={(event) => {
        event.preventDefault();
        move.mutate(target);
      }}
    >
      <p className={classes.target}>
        {t('move.target')} <strong>{target === '' ? t('path.root') : target}</strong>
      </p>
      <FolderPicker at={target} onPick={setTarget} isHidden={(path) => moved.has(path)} />
    </Form>
  );
}
