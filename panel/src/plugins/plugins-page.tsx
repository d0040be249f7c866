// The plugins of a server: what failed first, then all of them, and the copies that can be restored.
import { getRouteApi } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { FileButton } from '@gantry/ui/file-button.tsx';
import { useRead } from '../api/reading.ts';
import { AskingTheGame, useIsRunning } from '../instance/asking-the-game.tsx';
import { RequestedCommand, useRequested } from '../instance/requested-command.tsx';
import { DropZone } from '../shared/drop-zone.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { FailedPlugins } from './failed-plugins.tsx';
import { PluginCopies } from './plugin-copies.tsx';
import { PluginList } from './plugin-list.tsx';
import { useMayManagePlugins, type Verb } from './plugin-menu.tsx';
import type { Plugin } from './plugin-search.ts';
import classes from './plugins.module.css';
import { UploadDialog } from './upload-dialog.tsx';
import { usePluginCommands } from './use-plugin-commands.ts';

const route = getRouteApi('/frame/licensed/servers/$instanceId/plugins');

/** Plugins can be changed in the file system, which no event announces. */
const everyMs = 30_000;

export function PluginsPage() {
  const t = useTexts('plugins');
  const { instanceId } = route.useParams();
  const isRunning = useIsRunning();
  const mayManage = useMayManagePlugins();
  const asked = useRead(
    '/api/instances/{instance_id}/plugins',
    { params: { path: { instance_id: instanceId } } },
    { enabled: isRunning, every: everyMs },
  );
  const plugins = asked.data?.data ?? [];
  /** Installed one after the other; the first one is shown. */
  const [files, setFiles] = useState<readonly File[]>([]);
  const setFile = (file: File | null) => setFiles(file === null ? [] : [file]);
  const [leaving, setLeaving] = useState<Plugin | null>(null);
  const requested = useRequested(instanceId);
  const commands = usePluginCommands(instanceId, requested.keep);
  const [lastVerb, setLastVerb] = useState<Verb>('load');
  const choose = (verb: Verb, plugin: Plugin) => {
    setLastVerb(verb);
    if (verb === 'uninstall') setLeaving(plugin);
    else commands.run(verb, plugin.name, () => undefined);
  };
  const upload = mayManage && (
    <FileButton
      accept=".cs"
      leftSection={<Upload size={16} aria-hidden="true" />}
      onChoose={([chosen]) => chosen !== undefined && setFile(chosen)}
    >
      {t('upload.action')}
    </FileButton>
  );
  return (
    <DropZone
      label={t('upload.drop')}
      isEnabled={mayManage}
      onFiles={(dropped) => setFiles(dropped.map(({ file }) => file))}
    >
      <div className={classes.head}>
        <p className={classes.framework}>
          {asked.data === undefined
            ? t('lead')
            : t('framework', {
                name: t(`frameworks.${asked.data.framework}`),
                version: asked.data.framework_version,
              })}
        </p>
        {upload}
      </div>
      <RequestedCommand {...requested} />
      {lastVerb !== 'uninstall' && <ProblemAlert error={commands.errorOf(lastVerb)} />}
      <AskingTheGame error={asked.error} why={t('notRunning')} whyNot={t('notSupported')}>
        <Loaded asked={asked} waitingFor={t('title')} skeleton={<TableSkeleton rows={4} />}>
          {({ data }) => (
            <>
              <FailedPlugins plugins={data} />
              <PluginList plugins={data} mayManage={mayManage} onChoose={choose} />
            </>
          )}
        </Loaded>
      </AskingTheGame>
      <PluginCopies
        instanceId={instanceId}
        installed={new Set(plugins.map(({ name }) => name))}
        onRequested={requested.keep}
      />
      <UploadDialog
        instanceId={instanceId}
        files={files}
        plugins={plugins}
        onNext={() => setFiles(files.slice(1))}
        onClose={() => setFiles([])}
      />
      <ConfirmDialog
        isOpen={leaving !== null}
        title={t('uninstall.title', { name: leaving?.name ?? '' })}
        action={t('do.uninstall')}
        isDangerous
        isPending={commands.isPending}
        problem={<ProblemAlert error={commands.errorOf('uninstall')} />}
        onConfirm={() => {
          if (leaving !== null) commands.run('uninstall', leaving.name, () => setLeaving(null));
        }}
        onClose={() => setLeaving(null)}
      >
        <p>{t('uninstall.lead', { file: leaving?.file ?? '' })}</p>
        <p>{t('uninstall.copy')}</p>
      </ConfirmDialog>
    </DropZone>
  );
}
