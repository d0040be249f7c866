// Extracts a zip file into a folder; the agent does it, and the page shows its command.
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { useTexts } from '../../texts/texts.ts';
import { listPath, usePlace, type InstanceFile } from '../folder.ts';
import { tidied } from '../paths.ts';
import { isAboutPath, PathField } from './path-field.tsx';

interface ExtractFormProps {
  file: InstanceFile;
  onClose: () => void;
}

export function ExtractForm({ file, onClose }: ExtractFormProps) {
  const t = useTexts('files');
  const { instanceId } = usePlace();
  const [target, setTarget] = useState(file.path.replace(/\.zip$/i, ''));
  const [replaces, setReplaces] = useState(false);
  const extract = useWrite('POST /api/instances/{instance_id}/files/extractions', {
    refreshes: ['/api/commands', listPath],
    onDone: onClose,
  });
  return (
    <div className="dialogForm">
      <Form
        submit={t('extract.action')}
        isPending={extract.isPending}
        error={isAboutPath(extract.error) ? null : extract.error}
        onSubmit={(event) => {
          event.preventDefault();
          extract.mutate({
            params: { path: { instance_id: instanceId } },
            body: {
              archive_path: file.path,
              path: tidied(target),
              ...(replaces && { overwrite: true }),
            },
          });
        }}
      >
        <PathField
          label={t('extract.target')}
          description={t('extract.hint')}
          value={target}
          error={extract.error}
          onValue={setTarget}
        />
        <Checkbox
          label={t('extract.replace')}
          description={t('extract.replaceHint')}
          checked={replaces}
          onChange={(event) => setReplaces(event.currentTarget.checked)}
        />
      </Form>
    </div>
  );
}
