// Shows what each file would install, installs one after the other, and says what the game server made of it.
import { Alert, Button, Group, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { useCommand } from '../instance/requested-command.tsx';
import { useFormats } from '../shared/formats.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Plugin } from './plugin-search.ts';
import { maxBytes, readSource, type PluginSource, type SourceFault } from './plugin-source.ts';
import classes from './plugins.module.css';

interface UploadDialogProps {
  instanceId: string;
  /** The first one is shown. */
  files: readonly File[];
  /** What is installed, as far as it is known. */
  plugins: readonly Plugin[];
  /** Continues with the next file, or ends after the last one. */
  onNext: () => void;
  onClose: () => void;
}

export function UploadDialog({ files, ...props }: UploadDialogProps) {
  const [file, ...following] = files;
  if (file === undefined) return null;
  return (
    <Reading
      key={`${following.length} ${file.name} ${file.lastModified}`}
      file={file}
      followingCount={following.length}
      {...props}
    />
  );
}

type ReadingProps = Omit<UploadDialogProps, 'files'> & { file: File; followingCount: number };

function Reading({ file, ...props }: ReadingProps) {
  const t = useTexts('plugins');
  const formats = useFormats();
  const [read, setRead] = useState<PluginSource | SourceFault | null>(null);
  useEffect(() => {
    void readSource(file).then(setRead);
  }, [file]);
  if (read === null) return null;
  return (
    <Dialog
      isOpen
      title={typeof read === 'string' ? t('upload.cannot') : t('upload.title', { name: read.name })}
      onClose={props.onClose}
    >
      {typeof read === 'string' ? (
        <>
          <Alert color="red" role="alert" my="md">
            {t(`upload.faults.${read}`, { file: file.name, max: formats.bytes(maxBytes) })}
          </Alert>
          <Closing {...props} />
        </>
      ) : (
        <Installing source={read} {...props} />
      )}
      {props.followingCount > 0 && (
        <p className="hint">{t('upload.following', { count: props.followingCount })}</p>
      )}
    </Dialog>
  );
}

type ClosingProps = Pick<ReadingProps, 'followingCount' | 'onNext'>;

function Closing({ followingCount, onNext }: ClosingProps) {
  const t = useTexts('plugins');
  const common = useTexts('common');
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onNext}>
        {followingCount > 0 ? t('upload.next') : common('actions.close')}
      </Button>
    </Group>
  );
}

type InstallingProps = Omit<ReadingProps, 'file' | 'onClose'> & { source: PluginSource };

function Installing({ instanceId, source, plugins, followingCount, onNext }: InstallingProps) {
  const t = useTexts('plugins');
  const common = useTexts('common');
  const formats = useFormats();
  const [commandId, setCommandId] = useState<string | null>(null);
  const install = useWrite('PUT /api/instances/{instance_id}/plugins/{plugin}', {
    refreshes: ['/api/commands'],
    onDone: ({ id }) => setCommandId(id),
  });
  const former = plugins.find(({ name }) => name === source.name);
  if (commandId !== null) return <Outcome {...{ commandId, followingCount, onNext }} />;
  return (
    <>
      <div className={classes.upload}>
        <Facts
          facts={[
            [t('columns.plugin'), source.title ?? source.name],
            [t('columns.version'), source.version],
            [t('columns.author'), source.author],
            [t('upload.file'), `${source.file.name} · ${formats.bytes(source.file.size)}`],
          ]}
        />
        <p className="hint">
          {former === undefined
            ? t('upload.new')
            : former.version === null
              ? t('upload.replaces', { name: source.name })
              : t('upload.replacesVersion', { name: source.name, version: former.version })}
        </p>
      </div>
      <ProblemAlert error={install.error} />
      <Group justify="flex-end" gap="sm" mt="md">
        <Button variant="default" onClick={onNext}>
          {followingCount > 0 ? t('upload.skip') : common('actions.cancel')}
        </Button>
        <Button
          data-autofocus
          loading={install.isPending}
          onClick={() =>
            install.mutate({
              params: {
                path: { instance_id: instanceId, plugin: source.name },
                query: { overwrite: former !== undefined },
              },
              headers: { 'Content-Type': 'application/octet-stream' },
              body: source.file,
            })
          }
        >
          {former === undefined ? t('upload.install') : t('upload.replace')}
        </Button>
      </Group>
    </>
  );
}

function Outcome({ commandId, ...closing }: ClosingProps & { commandId: string }) {
  const t = useTexts('plugins');
  const command = useCommand(commandId);
  const isFinished = typeof command?.finished_at === 'string';
  return (
    <>
      <div className={classes.upload} role="status">
        {isFinished ? <Finished command={command} /> : <Running words={t('upload.running')} />}
      </div>
      <Closing {...closing} />
    </>
  );
}

function Running({ words }: { words: string }) {
  return (
    <Group gap="sm">
      <Loader size={16} />
      <span>{words}</span>
    </Group>
  );
}

/** The compiler's message in full. */
function Finished({ command: { status, detail, error } }: { command: Schemas['Command'] }) {
  const t = useTexts('plugins');
  if (status === 'succeeded')
    return (
      <Alert color="green" title={t('upload.done')}>
        {detail}
      </Alert>
    );
  return (
    <Alert color="red" title={error?.code === 'plugin_failed' ? t('upload.notLoaded') : t('upload.failed')}>
      <pre className={classes.message}>{error?.detail ?? detail}</pre>
    </Alert>
  );
}
