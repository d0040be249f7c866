// A module on one server: how far its installation is, why it failed, and its removal.
import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './modules.module.css';

type Installation = Schemas['ModuleInstallation'];

const tones: Record<Installation['status'], Tone> = {
  pending: 'busy',
  downloading: 'busy',
  installed: 'good',
  failed: 'bad',
  removed: 'idle',
};

/** The steps of an installation are reported by no event. */
const stepsMs = 2_000;

interface InstallationItemProps {
  installation: Installation;
  module: string;
  server: string;
}

export function InstallationItem({ installation, ...names }: InstallationItemProps) {
  return installation.finished_at === null ? (
    <Running installation={installation} {...names} />
  ) : (
    <Item installation={installation} {...names} />
  );
}

/** Its end is an event, which reads the list again. */
function Running({ installation, ...names }: InstallationItemProps) {
  const asked = useRead(
    '/api/modules/installations/{module_installation_id}',
    { params: { path: { module_installation_id: installation.id } } },
    { every: stepsMs },
  );
  return <Item installation={asked.data ?? installation} {...names} />;
}

function Item({ installation, module, server }: InstallationItemProps) {
  const t = useTexts('modules');
  const { status, detail, error, finished_at, created_at } = installation;
  const isRunning = finished_at === null;
  const isRemoving = isRunning && status === 'installed';
  return (
    <li className={classes.installation}>
      <div className={classes.installationHead}>
        <span className={classes.server}>{server}</span>
        <span role="status">
          <StateText tone={isRunning ? 'busy' : tones[status]}>
            {isRemoving ? t('installation.removing') : t(`installation.status.${status}`)}
          </StateText>
        </span>
        <span className="grow dim">
          {detail !== null && error === null && `${detail} · `}
          <Time at={finished_at ?? created_at} />
        </span>
        {!isRunning && <Uninstall installation={installation} module={module} server={server} />}
      </div>
      {error !== null && (
        <Alert color="red" mt="xs">
          {error.detail}
        </Alert>
      )}
    </li>
  );
}

function Uninstall({ installation, module, server }: InstallationItemProps) {
  const t = useTexts('modules');
  const mayRemove = useMay('DELETE /api/modules/installations/{module_installation_id}');
  const [isAsking, setIsAsking] = useState(false);
  const remove = useWrite('DELETE /api/modules/installations/{module_installation_id}', {
    refreshes: ['/api/modules/installations'],
    onDone: () => setIsAsking(false),
  });
  if (!mayRemove) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={t('uninstall.named', { module, server })}
        onClick={() => setIsAsking(true)}
      >
        {t('uninstall.action')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('uninstall.title', { module, server })}
        action={t('uninstall.action')}
        isDangerous
        isPending={remove.isPending}
        problem={<ProblemAlert error={remove.error} />}
        onConfirm={() => remove.mutate({ params: { path: { module_installation_id: installation.id } } })}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('uninstall.detail', { plugin: installation.plugin, server })}</p>
      </ConfirmDialog>
    </>
  );
}
