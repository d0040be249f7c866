// Asks before the key of a host is reset, or the host is deleted.
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { Asked } from '@gantry/ui/loaded.tsx';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';

interface HostDialogProps {
  host: Schemas['AgentHost'];
  isOpen: boolean;
  onClose: () => void;
}

export function ResetKeyDialog({ host: { id, hostname }, isOpen, onClose }: HostDialogProps) {
  const t = useTexts('hosts');
  const reset = useWrite('POST /api/fleet/hosts/{host_id}/reset-key', {
    refreshes: ['/api/fleet/hosts', '/api/fleet/hosts/{host_id}'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('detail.resetAsk', { name: hostname })}
      action={t('detail.reset')}
      isDangerous
      isPending={reset.isPending}
      problem={<ProblemAlert error={reset.error} />}
      onConfirm={() => reset.mutate({ params: { path: { host_id: id } } })}
      onClose={onClose}
    >
      <p>{t('detail.resetLead')}</p>
      <p>{t('detail.resetOrder')}</p>
    </ConfirmDialog>
  );
}

const maxNames = 6;

type Server = Pick<Schemas['GameInstance'], 'name'>;

const namesOf = (servers: readonly Server[]): string =>
  servers
    .slice(0, maxNames)
    .map(({ name }) => name)
    .join(', ');

export function DeleteHostDialog(props: HostDialogProps & { servers: Asked<readonly Server[]> }) {
  const { host, servers, isOpen, onClose } = props;
  const t = useTexts('hosts');
  const navigate = useNavigate();
  const remove = useWrite('DELETE /api/fleet/hosts/{host_id}', {
    refreshes: ['/api/fleet/hosts', '/api/fleet/instances'],
    onDone: () => void navigate({ to: '/hosts' }),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('detail.deleteAsk', { name: host.hostname })}
      action={t('detail.delete')}
      isDangerous
      typed={host.hostname}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.mutate({ params: { path: { host_id: host.id } } })}
      onClose={onClose}
    >
      <Loaded asked={servers} waitingFor={t('columns.servers')}>
        {(known) => (
          <p>
            {known.length === 0
              ? t('detail.deleteEmpty')
              : t('detail.deleteLead', { count: known.length, names: namesOf(known) })}
          </p>
        )}
      </Loaded>
      <p>{t('detail.deleteFiles')}</p>
    </ConfirmDialog>
  );
}
