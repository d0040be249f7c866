// Leads from a changed address to an effective one: a full stop, a start, and a verification.
import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction, useStatus } from '../api/queries.ts';
import { playersOn, PlayersHit } from '../dashboard/players-hit.tsx';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { useLast, useRunning } from '../operations/operations-context.tsx';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';

export function RestartGuide({
  visibility: { isInEffect, advertisedIp, registeredIp },
}: {
  visibility: Schemas['ServerVisibility'];
}) {
  const started = useLast('startBattlegroup', 'restartBattlegroup');
  const hasStarted = started?.state === 'succeeded';
  if (isInEffect === true && hasStarted) {
    return (
      <Alert color="teal" role="status" icon={<Icon name="check" />} title="The address is in effect">
        Verified: after its start the gateway registered {registeredIp ?? 'the private address'}.
      </Alert>
    );
  }
  if (isInEffect !== false) return null;
  return (
    <Section
      title="Stop and start the battlegroup to apply it"
      tone="warning"
      lead={`${advertisedIp ?? 'The private address'} is saved, but players still find ${registeredIp ?? 'another address'}. The gateway reads the address only when it starts, so stop the battlegroup completely and start it again.`}
    >
      {hasStarted && (
        <Alert color="yellow" icon={<Icon name="warning" />} title="The address is still not in effect">
          Stop and start the virtual machine: some packages read the address only then.
        </Alert>
      )}
      <StopAndStart />
    </Section>
  );
}

function StopAndStart() {
  const running = useRunning();
  const status = useStatus();
  const [isAsking, setIsAsking] = useState(false);
  const battlegroup = status.data?.battlegroup ?? null;
  const isStopped = battlegroup?.isStopped === true;
  const stop = useAction(() => bodyOf(api.POST('/api/battlegroup/stop')));
  const start = useAction(() => bodyOf(api.POST('/api/battlegroup/start')));
  return (
    <>
      <OperationOutcome kinds={['stopBattlegroup', 'startBattlegroup', 'restartBattlegroup']} />
      <div className="actions">
        <Button
          variant={isStopped ? 'default' : 'filled'}
          disabled={running !== null || isStopped}
          onClick={() => setIsAsking(true)}
          leftSection={<Icon name="stop" size={16} />}
        >
          1. Stop the battlegroup
        </Button>
        <Button
          variant={isStopped ? 'filled' : 'default'}
          disabled={running !== null || !isStopped}
          onClick={() => start.mutate()}
          leftSection={<Icon name="play" size={16} />}
        >
          2. Start the battlegroup
        </Button>
      </div>
      <ProblemAlert error={stop.error ?? start.error} />
      <ConfirmDialog
        isOpen={isAsking}
        title="Stop the battlegroup?"
        action="Stop"
        isDangerous
        onConfirm={() => stop.mutate()}
        onClose={() => setIsAsking(false)}
      >
        <p>
          The game servers save and shut down. Start the battlegroup again right afterwards so that players
          can return.
        </p>
        <PlayersHit players={playersOn(battlegroup)} />
      </ConfirmDialog>
    </>
  );
}
