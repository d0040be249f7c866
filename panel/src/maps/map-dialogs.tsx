// The dialogs about maps of the library, one at a time.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { tagOf } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { useFormats } from '../shared/formats.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { DeployForm } from './deploy-form.tsx';
import { mapPaths, maxNameLength, nameFor, type Asking, type GameMap } from './maps.ts';
import { uploadMap } from './upload-map.ts';

interface MapDialogsProps {
  asking: Asking | null;
  onClose: () => void;
}

export function MapDialogs({ asking, onClose }: MapDialogsProps) {
  const t = useTexts('maps');
  switch (asking?.kind) {
    case 'upload':
      return (
        <Dialog isOpen title={t('upload.title')} onClose={onClose}>
          <UploadForm file={asking.file} onClose={onClose} />
        </Dialog>
      );
    case 'rename':
      return (
        <Dialog isOpen title={t('rename.title', { name: asking.map.name })} onClose={onClose}>
          <RenameForm map={asking.map} onClose={onClose} />
        </Dialog>
      );
    case 'deploy':
      return (
        <Dialog isOpen title={t('deploy.title', { name: asking.map.name })} onClose={onClose}>
          <DeployForm map={asking.map} onClose={onClose} />
        </Dialog>
      );
    case 'publish':
      return <PublishDialog map={asking.map} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog map={asking.map} onClose={onClose} />;
    case undefined:
      return null;
  }
}

const maxBytes = 200 * 1024 * 1024;

function UploadForm({ file, onClose }: { file: File; onClose: () => void }) {
  const t = useTexts('maps');
  const common = useTexts('common');
  const formats = useFormats();
  const [name, setName] = useState(() => nameFor(file.name));
  const isTooLarge = file.size > maxBytes;
  return (
    <div className="dialogForm">
      <Form
        submit={t('upload.action')}
        isPending={false}
        isDisabled={name.trim() === '' || isTooLarge}
        error={null}
        others={
          <Button variant="default" onClick={onClose}>
            {common('actions.cancel')}
          </Button>
        }
        onSubmit={(event) => {
          event.preventDefault();
          uploadMap(file, name.trim(), t('title'));
          onClose();
        }}
      >
        <p className="hint path">{t('upload.file', { name: file.name, size: formats.bytes(file.size) })}</p>
        <TextInput
          label={t('upload.name')}
          description={t('upload.hint')}
          maxLength={maxNameLength}
          value={name}
          data-autofocus
          error={isTooLarge ? t('upload.tooLarge', { max: formats.bytes(maxBytes) }) : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Form>
    </div>
  );
}

interface MapProps {
  map: GameMap;
  onClose: () => void;
}

const changing = ({ id, version }: GameMap) => ({
  path: { map_id: id },
  header: { 'If-Match': tagOf(version) },
});

function RenameForm({ map, onClose }: MapProps) {
  const t = useTexts('maps');
  const [name, setName] = useState(map.name);
  const rename = useWrite('PATCH /api/maps/{map_id}', { refreshes: mapPaths, onDone: onClose });
  return (
    <div className="dialogForm">
      <Form
        submit={t('actions.rename')}
        isPending={rename.isPending}
        isDisabled={name.trim() === ''}
        error={rename.error}
        fields={['/name']}
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ params: changing(map), body: { name: name.trim() } });
        }}
      >
        <TextInput
          label={t('upload.name')}
          description={t('rename.hint')}
          maxLength={maxNameLength}
          value={name}
          data-autofocus
          error={faultAt(rename.error, '/name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Form>
    </div>
  );
}

function PublishDialog({ map, onClose }: MapProps) {
  const t = useTexts('maps');
  const update = useWrite('PATCH /api/maps/{map_id}', { refreshes: mapPaths, onDone: onClose });
  const verb = map.is_public ? 'hide' : 'publish';
  return (
    <ConfirmDialog
      isOpen
      title={t(`${verb}.title`, { name: map.name })}
      action={t(`actions.${verb}`)}
      isDangerous={map.is_public}
      {...(map.is_public && { typed: map.name })}
      isPending={update.isPending}
      problem={<ProblemAlert error={update.error} />}
      onConfirm={() => update.mutate({ params: changing(map), body: { is_public: !map.is_public } })}
      onClose={onClose}
    >
      <p>{t(`${verb}.detail`)}</p>
      {map.public_url !== null && <p className="path">{map.public_url}</p>}
    </ConfirmDialog>
  );
}

function DeleteDialog({ map, onClose }: MapProps) {
  const t = useTexts('maps');
  const formats = useFormats();
  const remove = useWrite('DELETE /api/maps/{map_id}', { refreshes: mapPaths, onDone: onClose });
  return (
    <ConfirmDialog
      isOpen
      title={t('delete.title', { name: map.name })}
      action={t('actions.delete')}
      isDangerous
      typed={map.name}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.mutate({ params: changing(map) })}
      onClose={onClose}
    >
      {t('delete.detail', { size: formats.bytes(map.bytes) })}
    </ConfirmDialog>
  );
}
