// Removes a server from its host, or deletes one that no agent reports any more.
import { Button, Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { useWrite } from '../../api/writing.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useCommand, useRequested } from '../requested-command.tsx';
import classes from './settings.module.css';

type Instance = Schemas['GameInstance'];

export function Removal({ instance }: { instance: Instance }) {
  const t = useTexts('instance');
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'remove' | 'delete' | null>(null);
  const { requested, keep } = useRequested(instance.id);
  const command = useCommand(requested?.id ?? null);
  const isRemoval = command?.kind === 'delete_instance';
  const isUnderWay = isRemoval && command.finished_at === null;
  const isRemoved = isRemoval && command.status === 'succeeded';
  useEffect(() => {
    if (!isRemoved) return;
    keep(null);
    void navigate({ to: '/servers', ignoreBlocker: true });
  }, [isRemoved, keep, navigate]);
  const isOffline = instance.state === 'offline';
  const isOfPlatform = instance.managed_by === 'platform';
  const isStopped = instance.state === 'stopped' || instance.state === 'crashed';
  const close = () => setAsking(null);
  return (
    <Section title={t('remove.title')} tone="danger">
      <div className="stack">
        {isOfPlatform && (
          <div>
            <p className="sentence">{t(isStopped || isOffline ? 'remove.lead' : 'remove.stopFirst')}</p>
            <Button
              variant="default"
              loading={isUnderWay}
              disabled={!isStopped && !isOffline}
              onClick={() => setAsking('remove')}
            >
              {t('remove.action')}
            </Button>
          </div>
        )}
        {(isOffline || !isOfPlatform) && (
          <div>
            <p className="sentence">{t(isOffline ? 'delete.lead' : 'delete.fileFirst')}</p>
            {isOffline && (
              <Button variant="default" onClick={() => setAsking('delete')}>
                {t('delete.action')}
              </Button>
            )}
          </div>
        )}
      </div>
      {asking === 'remove' && (
        <RemoveDialog
          instance={instance}
          onRequested={(id) => {
            keep({ id, words: t('remove.action') });
            close();
          }}
          onClose={close}
        />
      )}
      {asking === 'delete' && <DeleteDialog instance={instance} onClose={close} />}
    </Section>
  );
}

interface RemoveDialogProps {
  instance: Instance;
  onRequested: (commandId: string) => void;
  onClose: () => void;
}

function RemoveDialog({ instance: { id, name, hostname }, onRequested, onClose }: RemoveDialogProps) {
  const t = useTexts('instance');
  const [deletesFiles, setDeletesFiles] = useState(false);
  const remove = useWrite('DELETE /api/fleet/instances/{instance_id}/definition', {
    refreshes: ['/api/commands'],
    onDone: (command) => onRequested(command.id),
  });
  return (
    <ConfirmDialog
      isOpen
      title={t('remove.dialog', { name, host: hostname })}
      action={t('remove.action')}
      isDangerous
      typed={name}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() =>
        remove.mutate({ params: { path: { instance_id: id }, query: { delete_files: deletesFiles } } })
      }
      onClose={onClose}
    >
      <Destroyed files={t(deletesFiles ? 'remove.files' : 'remove.filesStay')} />
      <Checkbox
        label={t('remove.alsoFiles')}
        checked={deletesFiles}
        onChange={(event) => setDeletesFiles(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  );
}

function DeleteDialog({ instance: { id, name }, onClose }: { instance: Instance; onClose: () => void }) {
  const t = useTexts('instance');
  const navigate = useNavigate();
  const remove = useWrite('DELETE /api/fleet/instances/{instance_id}', {
    refreshes: ['/api/fleet/instances', '/api/fleet/hosts'],
    onDone: () => void navigate({ to: '/servers', ignoreBlocker: true }),
  });
  return (
    <ConfirmDialog
      isOpen
      title={t('delete.dialog', { name })}
      action={t('delete.action')}
      isDangerous
      typed={name}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.mutate({ params: { path: { instance_id: id } } })}
      onClose={onClose}
    >
      <Destroyed files={t('delete.files')} />
    </ConfirmDialog>
  );
}

function Destroyed({ files }: { files: string }) {
  const t = useTexts('instance');
  return (
    <ul className={classes.destroyed}>
      <li>{t('remove.history')}</li>
      <li>{files}</li>
      <li>{t('remove.backups')}</li>
    </ul>
  );
}
