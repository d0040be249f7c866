// The virtual machine: its state, its memory, its start and its stop.
import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { useAction } from '../api/queries.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { ageInWords, agoInWords } from '../operations/words.ts';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useNow } from '@gantry/ui/use-now.ts';
import { playersOn, PlayersHit } from './players-hit.tsx';
import { gigabytes, vmState } from './states.ts';
import type { VmStart } from './use-vm-start.ts';
import { ConfiguredMemory, StartWithMemory, TemporaryMemory } from './vm-memory.tsx';
import classes from './vm-panel.module.css';

export function VmPanel({ status, start }: { status: Schemas['Status']; start: VmStart }) {
  const { vm, host, battlegroup } = status;
  const running = useRunning();
  const stop = useAction(() => bodyOf(api.POST('/api/vm/stop')));
  const [isAsking, setIsAsking] = useState(false);
  const { tone, words } = vmState(status);
  const isStartable = vm.state === 'saved' || vm.state === 'paused';
  const isBusy = running !== null || start.action.isPending || stop.isPending;
  // The retry panel shows a failed start.
  const startError = problemOf(start.action.error)?.startFailed === true ? null : start.action.error;
  return (
    <Section title="Virtual machine" aside={<StateText tone={tone}>{words}</StateText>}>
      <Facts
        facts={[
          ['Name', vm.name],
          ['Address', vm.ip],
          ...(vm.memoryGB === null ? [] : [['Memory', gigabytes(vm.memoryGB)] as const]),
          ['Configured memory', gigabytes(vm.configuredMemoryGB)],
          ['Uptime', vm.uptimeSeconds === null ? null : ageInWords(vm.uptimeSeconds)],
        ]}
      />
      <Age state={host.state} observedAt={vm.observedAt} />
      <HostMemory host={host} />
      <TemporaryMemory vm={vm} />
      {vm.state === 'running' && <ConfiguredMemory vm={vm} />}
      {vm.state === 'off' && <StartWithMemory vm={vm} start={start} isBusy={isBusy} />}
      <div className="actions">
        {vm.state === 'running' && (
          <Button
            variant="default"
            disabled={isBusy}
            onClick={() => setIsAsking(true)}
            leftSection={<Icon name="stop" size={16} />}
          >
            Stop VM
          </Button>
        )}
        {vm.state !== 'running' && vm.state !== 'off' && (
          <Button
            disabled={isBusy || !isStartable}
            loading={start.action.isPending}
            onClick={() => start.action.mutate({})}
            leftSection={<Icon name="play" size={16} />}
          >
            Start VM
          </Button>
        )}
      </div>
      <ProblemAlert error={startError ?? stop.error} />
      <ConfirmDialog
        isOpen={isAsking}
        title="Stop the virtual machine?"
        action="Stop VM"
        onConfirm={() => stop.mutate()}
        onClose={() => setIsAsking(false)}
      >
        <p>
          If it can be reached, the battlegroup is stopped first so that no progress is lost. Then Windows
          shuts down the virtual machine.
        </p>
        <PlayersHit players={playersOn(battlegroup)} />
      </ConfirmDialog>
    </Section>
  );
}

/** Figures that Windows gave earlier are marked with their age. */
function Age({ state, observedAt }: { state: Schemas['HostStatus']['state']; observedAt: string | null }) {
  const now = useNow(true);
  if (state !== 'noResponse' || observedAt === null) return null;
  return <p className="hint">The state of {agoInWords(now - Date.parse(observedAt))}.</p>;
}

function HostMemory({ host: { memoryTotalGB, memoryFreeGB } }: { host: Schemas['HostStatus'] }) {
  if (memoryTotalGB === null || memoryFreeGB === null) return null;
  const used = Math.round((100 * (memoryTotalGB - memoryFreeGB)) / memoryTotalGB);
  return (
    <div className={classes.memory}>
      <div className={classes.label}>
        <span>Memory of the host</span>
        <span className="number">
          {gigabytes(memoryFreeGB)} free of {gigabytes(memoryTotalGB)}
        </span>
      </div>
      <Progress
        value={used}
        aria-label={`${used} % of the host’s memory is in use`}
        color={used > 90 ? 'red' : 'spice'}
      />
    </div>
  );
}
