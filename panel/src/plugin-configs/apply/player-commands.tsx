// The commands that the platform types when players join and leave a server, and their end.
import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { useRead } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from './apply.module.css';

type Server = Schemas['GameInstance'];

export function PlayerCommands({ servers }: { servers: readonly Server[] }) {
  const t = useTexts('plugin-configs');
  const [chosen, setChosen] = useState<string | null>(null);
  const server = servers.find(({ id }) => id === chosen) ?? servers[0];
  if (server === undefined) return null;
  return (
    <Section title={t('playerCommands.title')} lead={t('playerCommands.lead')}>
      <div className="stack">
        {servers.length > 1 && (
          <NativeSelect
            className={classes.serverField ?? ''}
            label={t('playerCommands.server')}
            value={server.id}
            data={servers.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )}
        <Active key={server.id} server={server} />
      </div>
    </Section>
  );
}

function Active({ server }: { server: Server }) {
  const t = useTexts('plugin-configs');
  const mayEnd = useMay('DELETE /api/instances/{instance_id}/player-commands');
  const [isAsking, setIsAsking] = useState(false);
  const params = { path: { instance_id: server.id } };
  const active = useRead('/api/instances/{instance_id}/player-commands', { params });
  const end = useWrite('DELETE /api/instances/{instance_id}/player-commands', {
    refreshes: ['/api/instances/{instance_id}/player-commands'],
    onDone: () => setIsAsking(false),
  });
  return (
    <Loaded asked={active} waitingFor={t('playerCommands.title')}>
      {({ on_connect, on_disconnect }) => (
        <>
          <CommandList title={t('playerCommands.onConnect')} list={on_connect} />
          <CommandList title={t('playerCommands.onDisconnect')} list={on_disconnect} />
          {mayEnd && (on_connect !== null || on_disconnect !== null) && (
            <div>
              <Button variant="default" onClick={() => setIsAsking(true)}>
                {t('playerCommands.end')}
              </Button>
            </div>
          )}
          <ConfirmDialog
            isOpen={isAsking}
            title={t('playerCommands.endTitle', { name: server.name })}
            action={t('playerCommands.end')}
            isDangerous
            isPending={end.isPending}
            problem={<ProblemAlert error={end.error} />}
            onConfirm={() => end.mutate({ params })}
            onClose={() => setIsAsking(false)}
          >
            {t('playerCommands.endDetail', { name: server.name })}
          </ConfirmDialog>
        </>
      )}
    </Loaded>
  );
}

interface CommandListProps {
  title: string;
  list: Schemas['ActiveCommandList'] | null;
}

function CommandList({ title, list }: CommandListProps) {
  const t = useTexts('plugin-configs');
  return (
    <div>
      <h3 className={classes.subtitle}>{title}</h3>
      {list === null || list.commands.length === 0 ? (
        <p className="hint">{t('playerCommands.none')}</p>
      ) : (
        <>
          <ol className={classes.commands}>
            {list.commands.map((command, index) => (
              <li key={index}>
                <code>{command}</code>
              </li>
            ))}
          </ol>
          <p className="hint">
            {t('playerCommands.since')} <Time at={list.applied_at} />
            {list.requested_by !== null && ` · ${list.requested_by}`}
          </p>
        </>
      )}
    </div>
  );
}
