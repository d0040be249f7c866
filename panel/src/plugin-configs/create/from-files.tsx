// Takes the settings of dropped or chosen files; their names say which plugin they belong to.
import { FileButton } from '@gantry/ui/file-button.tsx';
import { Alert, NativeSelect } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useWrite } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { useFormats } from '../../shared/formats.ts';
import { useTexts } from '../../texts/texts.ts';
import { kindNames, kindOf, type KindName } from '../kinds.ts';
import classes from './create.module.css';
import { bytesOf, maxBytes, readDropped, readFiles } from './dropped-files.ts';
import { NameField, withoutTaken } from './name-field.tsx';
import { recognized, type DroppedFile, type RecognizedFile } from './plugin-files.ts';
import { useCreated } from './use-created.ts';

interface FromFilesProps {
  kind: KindName | null;
  dropped: readonly DroppedFile[];
  onDropped: (files: readonly DroppedFile[]) => void;
  onKind: (kind: KindName) => void;
}

export function FromFiles({ kind, dropped, onDropped, onKind }: FromFilesProps) {
  const t = useTexts('plugin-configs');
  const { files, unknown } = useMemo(() => recognized(dropped), [dropped]);
  const [isOver, setIsOver] = useState(false);
  const take = (next: readonly DroppedFile[]) => {
    onDropped(next);
    const found = recognized(next).files;
    const first = found[0]?.kind;
    if (first !== undefined && !found.some((file) => file.kind === kind)) onKind(first);
  };
  const own = files.filter((file) => file.kind === kind);
  const others = kindNames.filter((name) => name !== kind && files.some((file) => file.kind === name));
  return (
    <>
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          void readDropped(event.dataTransfer).then(take);
        }}
      >
        <FileUp size={22} aria-hidden="true" />
        <span className="grow">
          {dropped.length === 0 ? t('files.drop') : t('files.count', { count: dropped.length })}
        </span>
        <FileButton
          multiple
          accept="application/json,.json"
          variant="default"
          onChoose={(chosen) => void readFiles(chosen).then(take)}
        >
          {t('files.choose')}
        </FileButton>
      </div>
      {kind !== null && dropped.length === 0 && (
        <p className="hint">
          {t('files.expected', {
            files: kindOf(kind)
              .files.map(({ file }) => file)
              .join(', '),
          })}
        </p>
      )}
      {others.length > 0 && (
        <Alert color="blue" role="status">
          {t('files.others', { kinds: others.map((name) => t(`kinds.${name}.name`)).join(', ') })}
        </Alert>
      )}
      {unknown.length > 0 && (
        <Alert color="yellow" role="status" title={t('files.unknown', { count: unknown.length })}>
          {unknown.map(({ path }) => path).join(', ')}
        </Alert>
      )}
      {kind !== null && own.length > 0 && <ImportForm key={kind} kind={kind} files={own} />}
    </>
  );
}

function ImportForm({ kind, files }: { kind: KindName; files: readonly RecognizedFile[] }) {
  const t = useTexts('plugin-configs');
  const formats = useFormats();
  const [name, setName] = useState('');
  /** Corrections, by the path of the dropped file. */
  const [places, setPlaces] = useState<Readonly<Record<string, string>>>({});
  const { onImported } = useCreated();
  const take = useWrite('POST /api/plugin-configs/{kind}/import', {
    refreshes: ['/api/plugin-configs/{kind}'],
    onDone: onImported,
  });
  const isTooLarge = bytesOf(files) > maxBytes;
  return (
    <Form
      submit={t('create.import')}
      isPending={take.isPending}
      isDisabled={name.trim() === '' || isTooLarge}
      error={withoutTaken(take.error)}
      fields={['/name']}
      onSubmit={(event) => {
        event.preventDefault();
        take.mutate({
          params: { path: { kind } },
          body: {
            name: name.trim(),
            files: files.map(({ path, file, content }) => ({ file: places[path] ?? file, content })),
          },
        });
      }}
    >
      <ul className={classes.fileList}>
        {files.map(({ path, file }) => (
          <li key={path}>
            <span className="grow path">{path}</span>
            <NativeSelect
              aria-label={t('files.placeOf', { file: path })}
              value={places[path] ?? file}
              data={kindOf(kind).files.map((each) => each.file)}
              onChange={(event) => setPlaces({ ...places, [path]: event.currentTarget.value })}
            />
          </li>
        ))}
      </ul>
      {isTooLarge && (
        <Alert color="red" role="alert">
          {t('files.tooLarge', { max: formats.bytes(maxBytes) })}
        </Alert>
      )}
      <NameField name={name} error={take.error} onName={setName} />
    </Form>
  );
}
