// A server that a host is asked to create, until it is there; the address names the command, so a reload keeps it.
import { Alert, Loader } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/may.ts';
import { useRead } from '../api/reading.ts';
import { useTexts } from '../texts/texts.ts';

/** Events announce the end; this is for agents whose events are late. */
const everyMs = 3_000;

interface CreationProgressProps {
  commandId: string;
  onClose: () => void;
}

export function CreationProgress({ commandId, onClose }: CreationProgressProps) {
  const t = useTexts('hosts');
  const may = useMay('GET /api/commands/{command_id}');
  const { data: command } = useRead(
    '/api/commands/{command_id}',
    { params: { path: { command_id: commandId } } },
    { enabled: may, every: everyMs },
  );
  if (command === undefined) return null;
  if (command.finished_at === null)
    return (
      <Alert color="blue" icon={<Loader size={16} />} role="status">
        {t('templates.creating')}
      </Alert>
    );
  const close = { withCloseButton: true, closeButtonLabel: t('templates.dismiss'), onClose };
  if (command.status !== 'succeeded')
    return (
      <Alert color="red" title={t('templates.failed')} {...close}>
        {command.error?.detail ?? command.detail ?? ''}
      </Alert>
    );
  return (
    <Alert color="green" role="status" {...close}>
      {t('templates.created')}{' '}
      {command.instance_id !== null && (
        <Link to="/servers/$instanceId" params={{ instanceId: command.instance_id }}>
          {t('templates.open')}
        </Link>
      )}
    </Alert>
  );
}
