// Creates a folder or a file, and renames one.
import { Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { hasCode } from '../../api/problem.ts';
import { useWork, useWrite } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { useTexts } from '../../texts/texts.ts';
import { listPath, refreshFolders, usePlace, type InstanceFile } from '../folder.ts';
import { folderOf, pathIn } from '../paths.ts';
import { upload } from '../upload.ts';
import { isAboutPath, PathField } from './path-field.tsx';

interface NewProps {
  folder: string;
  onClose: () => void;
}

interface NameFormProps {
  label: string;
  submit: string;
  initial?: string;
  error: Error | null;
  isPending: boolean;
  onName: (name: string) => void;
  children?: React.ReactNode;
}

function NameForm({ label, submit, initial = '', error, isPending, onName, children }: NameFormProps) {
  const [name, setName] = useState(initial);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onName(name.trim());
  };
  return (
    <div className="dialogForm">
      <Form
        submit={submit}
        isPending={isPending}
        isDisabled={name.trim() === ''}
        error={isAboutPath(error) ? null : error}
        onSubmit={send}
      >
        <PathField label={label} value={name} error={error} onValue={setName} />
        {children}
      </Form>
    </div>
  );
}

export function NewFolderForm({ folder, onClose }: NewProps) {
  const t = useTexts('files');
  const { instanceId } = usePlace();
  const create = useWrite('PUT /api/instances/{instance_id}/files/directories', {
    refreshes: [listPath],
    onDone: onClose,
  });
  return (
    <NameForm
      label={t('new.folderName')}
      submit={t('new.create')}
      error={create.error}
      isPending={create.isPending}
      onName={(name) =>
        create.mutate({
          params: { path: { instance_id: instanceId }, query: { path: pathIn(folder, name) } },
        })
      }
    />
  );
}

/** An upload of nothing creates the file, because it does not replace one that exists. */
export function NewFileForm({ folder, onClose }: NewProps) {
  const t = useTexts('files');
  const { instanceId } = usePlace();
  const navigate = useNavigate();
  const create = useWork(
    async (path: string) => {
      await upload(instanceId, path, new Blob([]));
      return path;
    },
    {
      onDone: (path) => {
        refreshFolders();
        onClose();
        void navigate({ to: '/servers/$instanceId/files/edit', params: { instanceId }, search: { path } });
      },
    },
  );
  return (
    <NameForm
      label={t('new.fileName')}
      submit={t('new.create')}
      error={create.error}
      isPending={create.isPending}
      onName={(name) => create.mutate(pathIn(folder, name))}
    />
  );
}

export function RenameForm({ file, onClose }: { file: InstanceFile; onClose: () => void }) {
  const t = useTexts('files');
  const { instanceId } = usePlace();
  /** The file that may be replaced; consent for one name is none for another. */
  const [replaced, setReplaced] = useState<string | null>(null);
  const rename = useWrite('PATCH /api/instances/{instance_id}/files', {
    refreshes: [listPath],
    onDone: onClose,
  });
  const refused = rename.variables?.body.new_path ?? null;
  return (
    <NameForm
      label={t('rename.name')}
      submit={t('rename.action')}
      initial={file.name}
      error={rename.error}
      isPending={rename.isPending}
      onName={(name) => {
        const target = pathIn(folderOf(file.path), name);
        rename.mutate({
          params: { path: { instance_id: instanceId }, query: { path: file.path } },
          body: { new_path: target, ...(replaced === target && { overwrite: true }) },
        });
      }}
    >
      {file.kind === 'file' && hasCode(rename.error, 'file_exists') && (
        <Checkbox
          label={t('rename.replace')}
          checked={replaced !== null && replaced === refused}
          onChange={(event) => setReplaced(event.currentTarget.checked ? refused : null)}
        />
      )}
    </NameForm>
  );
}
