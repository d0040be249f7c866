// Offers to turn the virtual machine off after it did not shut down.
import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { useLast } from '../operations/operations-context.tsx';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { playersOn, PlayersHit } from './players-hit.tsx';

export function TurnOffPanel({ status: { vm, battlegroup } }: { status: Schemas['Status'] }) {
  const last = useLast('stopVm');
  const turnOff = useAction(() => bodyOf(api.POST('/api/vm/turn-off')));
  const [isAsking, setIsAsking] = useState(false);
  if (last?.problem?.code !== 'vm_on' || vm.state === 'off') return null;
  return (
    <Section title="Turn off" tone="danger">
      <Alert
        role="alert"
        color="red"
        icon={<Icon name="warning" />}
        title="The virtual machine does not shut down"
      >
        {last.problem.detail}
      </Alert>
      <div className="actions">
        <Button
          color="red"
          loading={turnOff.isPending}
          onClick={() => setIsAsking(true)}
          leftSection={<Icon name="stop" size={16} />}
        >
          Turn off
        </Button>
      </div>
      <ProblemAlert error={turnOff.error} />
      <ConfirmDialog
        isOpen={isAsking}
        title="Turn the virtual machine off?"
        action="Turn off"
        isDangerous
        onConfirm={() => turnOff.mutate()}
        onClose={() => setIsAsking(false)}
      >
        <p>
          This is like pulling the plug: the battlegroup is not stopped first, and unwritten data of the game
          and its database is lost.
        </p>
        <PlayersHit players={playersOn(battlegroup)} />
      </ConfirmDialog>
    </Section>
  );
}
