// Updates the agents of one, some or all hosts, after it has asked.
import { Alert, Button } from '@mantine/core';
import { CircleArrowUp } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { SelectionBar } from '../shared/selection-bar.tsx';
import { useTexts } from '../texts/texts.ts';

type Host = Schemas['AgentHost'];

export const useMayUpdateAgents = (): boolean => useMay('POST /api/fleet/agent-updates');

/** Hosts with a newer version of the agent and no update under way. */
export const updatable = (hosts: readonly Host[]): Host[] =>
  hosts.filter(
    ({ available_agent_version: version, agent_update: update }) =>
      version !== null && (update === null || update.finished_at !== null),
  );

const maxNames = 6;

interface UpdateDialogProps {
  /** Those that can be updated. */
  hosts: readonly Host[];
  isAll?: boolean;
  isOpen: boolean;
  onClose: () => void;
}

function UpdateDialog({ hosts, isAll = false, isOpen, onClose }: UpdateDialogProps) {
  const t = useTexts('hosts');
  const update = useWrite('POST /api/fleet/agent-updates', {
    refreshes: ['/api/fleet/hosts', '/api/fleet/hosts/{host_id}'],
    onDone: onClose,
  });
  const names = hosts.slice(0, maxNames).map(({ hostname }) => hostname);
  const more = hosts.length - names.length;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('updates.ask', { count: hosts.length })}
      action={t('updates.confirm')}
      isPending={update.isPending}
      problem={<ProblemAlert error={update.error} />}
      onConfirm={() => update.mutate({ body: isAll ? {} : { host_ids: hosts.map(({ id }) => id) } })}
      onClose={onClose}
    >
      <p>{more > 0 ? t('updates.more', { names: names.join(', '), count: more }) : names.join(', ')}</p>
      <p>{t('updates.lead', { version: hosts[0]?.available_agent_version ?? '' })}</p>
    </ConfirmDialog>
  );
}

/** Says how many agents are outdated, and updates all of them. */
export function OutdatedAgents({ hosts }: { hosts: readonly Host[] }) {
  const t = useTexts('hosts');
  const mayUpdate = useMayUpdateAgents();
  const [isAsking, setIsAsking] = useState(false);
  const outdated = updatable(hosts);
  const [first] = outdated;
  if (!mayUpdate || first === undefined) return null;
  return (
    <Alert
      color="blue"
      icon={<CircleArrowUp size={18} />}
      title={t('updates.outdated', { count: outdated.length })}
    >
      <p>{t('updates.offer', { version: first.available_agent_version })}</p>
      <Button size="compact-sm" variant="default" onClick={() => setIsAsking(true)}>
        {t('updates.all')}
      </Button>
      <UpdateDialog isAll hosts={outdated} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </Alert>
  );
}

/** The actions for selected hosts. */
export function UpdateBar({ hosts, onClear }: { hosts: readonly Host[]; onClear: () => void }) {
  const t = useTexts('hosts');
  return (
    <SelectionBar label={t('updates.bar')} count={hosts.length} onClear={onClear}>
      <UpdateButton hosts={hosts} onClose={onClear} />
    </SelectionBar>
  );
}

export function UpdateButton({ hosts, onClose }: { hosts: readonly Host[]; onClose?: () => void }) {
  const t = useTexts('hosts');
  const [isAsking, setIsAsking] = useState(false);
  const own = updatable(hosts);
  return (
    <>
      <Button
        variant="default"
        disabled={own.length === 0}
        leftSection={<CircleArrowUp size={15} aria-hidden="true" />}
        onClick={() => setIsAsking(true)}
      >
        {t('updates.button', { count: hosts.length })}
      </Button>
      <UpdateDialog
        hosts={own}
        isOpen={isAsking}
        onClose={() => {
          setIsAsking(false);
          onClose?.();
        }}
      />
    </>
  );
}
