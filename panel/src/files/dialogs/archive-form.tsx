// Packs files and folders into a new zip file; the agent does it, and the page shows its command.
import { useState } from 'react';
import { useWrite } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { useTexts } from '../../texts/texts.ts';
import { listPath, usePlace, type InstanceFile } from '../folder.ts';
import { nameIn, pathIn } from '../paths.ts';
import { isAboutPath, PathField } from './path-field.tsx';

interface ArchiveFormProps {
  files: readonly InstanceFile[];
  folder: string;
  onClose: () => void;
}

export function ArchiveForm({ files, folder, onClose }: ArchiveFormProps) {
  const t = useTexts('files');
  const { instanceId } = usePlace();
  const [only] = files;
  const suggested =
    files.length === 1 && only !== undefined ? only.name : nameIn(folder) || t('archive.name');
  const [name, setName] = useState(`${suggested}.zip`);
  const pack = useWrite('POST /api/instances/{instance_id}/files/archives', {
    refreshes: ['/api/commands', listPath],
    onDone: onClose,
  });
  return (
    <div className="dialogForm">
      <Form
        submit={t('archive.action')}
        isPending={pack.isPending}
        isDisabled={name.trim() === ''}
        error={isAboutPath(pack.error) ? null : pack.error}
        onSubmit={(event) => {
          event.preventDefault();
          pack.mutate({
            params: { path: { instance_id: instanceId } },
            body: { paths: files.map(({ path }) => path), archive_path: pathIn(folder, name.trim()) },
          });
        }}
      >
        <PathField
          label={t('archive.file')}
          description={t('archive.hint')}
          value={name}
          error={pack.error}
          onValue={setName}
        />
      </Form>
    </div>
  );
}
