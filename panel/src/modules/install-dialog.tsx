// Chooses the server that a module is installed on.
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';

interface InstallDialogProps {
  slug: string;
  name: string;
  servers: readonly { id: string; name: string }[];
  isOpen: boolean;
  onClose: () => void;
}

export function InstallDialog({ slug, name, servers, isOpen, onClose }: InstallDialogProps) {
  const t = useTexts('modules');
  const [chosen, setChosen] = useState('');
  const instanceId = chosen === '' ? (servers[0]?.id ?? '') : chosen;
  const install = useWrite('POST /api/modules/install', {
    refreshes: ['/api/modules/installations'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('install.title', { name })}
      action={t('install.action')}
      isPending={install.isPending}
      problem={<ProblemAlert error={install.error} />}
      onConfirm={() => {
        if (instanceId !== '') install.mutate({ body: { module: slug, instance_id: instanceId } });
      }}
      onClose={onClose}
    >
      {servers.length === 0 ? (
        <p>{t('install.noServers')}</p>
      ) : (
        <NativeSelect
          label={t('install.server')}
          description={t('install.hint')}
          value={instanceId}
          data={servers.map((server) => ({ value: server.id, label: server.name }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
    </ConfirmDialog>
  );
}
