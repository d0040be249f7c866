// The command that is under way for a server, and how the last one ended; both outlast a reload.
import { Alert, Loader } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { CancelCommand } from '../commands/cancel-command.tsx';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './command-progress.module.css';

type Command = Schemas['Command'];

/** Events announce what changes; this is for agents whose events are late. */
const everyMs = 5_000;
/** Older failures are in the list of commands. */
const shownForMs = 10 * 60_000;
/** Work that takes long enough to be left alone; its end is shown to those who come back. Wipes have a page of their own. */
const long: readonly Command['kind'][] = [
  'create_backup',
  'restore_backup',
  'zip_files',
  'unzip_file',
  'deploy_map',
];
const doneForMs = 2 * 60_000;
/** Console lines are shown in the console. */
const silent: readonly Command['kind'][] = ['type', 'type_lines', 'announce'];

export function CommandProgress({ instanceId }: { instanceId: string }) {
  const t = useTexts('instance');
  const may = useMay('GET /api/commands');
  const { data } = useRead(
    '/api/commands',
    { params: { query: { instance_id: instanceId, limit: 10 } } },
    { enabled: may, every: everyMs },
  );
  const [dismissed, setDismissed] = useState<string | null>(null);
  const commands = (data?.data ?? []).filter(({ kind }) => !silent.includes(kind));
  const running = commands.filter(({ finished_at }) => finished_at === null);
  const [last] = commands;
  const hasFailed =
    last !== undefined &&
    last.finished_at !== null &&
    (last.status === 'failed' || last.status === 'expired') &&
    last.error?.code !== 'cancelled' &&
    last.id !== dismissed &&
    serverNow() - Date.parse(last.finished_at) < shownForMs;
  const isDone =
    last !== undefined &&
    last.finished_at !== null &&
    last.status === 'succeeded' &&
    long.includes(last.kind) &&
    last.id !== dismissed &&
    serverNow() - Date.parse(last.finished_at) < doneForMs;
  return (
    <>
      {isDone && (
        <Alert
          color="green"
          role="status"
          icon={<CircleCheck size={18} />}
          title={t('done.title', { what: t(`kinds.${last.kind}`) })}
          withCloseButton
          closeButtonLabel={t('failed.dismiss')}
          onClose={() => setDismissed(last.id)}
        >
          {last.detail}
        </Alert>
      )}
      {running.map((command) => (
        <Running key={command.id} command={command} />
      ))}
      {hasFailed && (
        <Alert
          color="red"
          icon={<TriangleAlert size={18} />}
          title={t('failed.title', { kind: t(`kinds.${last.kind}`) })}
          withCloseButton
          closeButtonLabel={t('failed.dismiss')}
          onClose={() => setDismissed(last.id)}
        >
          {last.error?.detail ?? last.detail ?? ''}
        </Alert>
      )}
    </>
  );
}

function Running({ command }: { command: Command }) {
  const t = useTexts('instance');
  const formats = useFormats();
  const { id, kind, status, requested_by, expires_at } = command;
  const words =
    kind === 'start' || kind === 'stop' || kind === 'restart'
      ? t(`pending.${kind}`)
      : t('pending.other', { kind: t(`kinds.${kind}`) });
  return (
    <div className={classes.running} role="status">
      <Loader size={16} />
      <span>
        <Link to="/commands/$commandId" params={{ commandId: id }}>
          {words}
        </Link>
        {requested_by !== null && ` ${t('pending.by', { who: requested_by })}`}
        {(status === 'queued' || status === 'sent') &&
          ` · ${t('pending.waitingForAgent', { until: formats.time(expires_at) })}`}
      </span>
      <CancelCommand command={command} />
    </div>
  );
}
