// Moves files and folders to another folder, which is chosen by walking through them.
import { useState } from 'react';
import { write } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from '../files.module.css';
import { usePlace, type InstanceFile } from '../folder.ts';
import { pathIn } from '../paths.ts';
import { useEachFile } from './each-file.ts';
import { FileNames } from './file-names.tsx';
import { FolderPicker } from './folder-picker.tsx';

interface MoveFormProps {
  files: readonly InstanceFile[];
  folder: string;
  onClose: () => void;
}

export function MoveForm({ files, folder, onClose }: MoveFormProps) {
  const t = useTexts('files');
  const common = useTexts('common');
  const { instanceId } = usePlace();
  const [target, setTarget] = useState(folder);
  const move = useEachFile(
    files,
    ({ path, name }, target: string) =>
      write('PATCH /api/instances/{instance_id}/files', {
        params: { path: { instance_id: instanceId }, query: { path } },
        body: { new_path: pathIn(target, name) },
      }),
    onClose,
  );
  const moved = new Set(files.map(({ path }) => path));
  return (
    <Form
      submit={move.results.size > 0 ? common('actions.tryAgain') : t('move.action')}
      isPending={move.isPending}
      isDisabled={target === folder}
      error={move.error}
      onSubmit={(event) => {
        event.preventDefault();
        move.run(target);
      }}
    >
      {move.results.size > 0 && <FileNames files={files} results={move.results} isPending={move.isPending} />}
      <p className={classes.target}>
        {t('move.target')} <strong>{target === '' ? t('path.root') : target}</strong>
      </p>
      <FolderPicker at={target} onPick={setTarget} isHidden={(path) => moved.has(path)} />
    </Form>
  );
}
