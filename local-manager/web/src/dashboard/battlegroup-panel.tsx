// The battlegroup: its state and its actions.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Icon, type IconName } from '@gantry/ui/icons.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';
import { playersOn, PlayersHit } from './players-hit.tsx';
import { battlegroupState } from './states.ts';

type Battlegroup = Schemas['Battlegroup'];
type Verb = 'start' | 'stop' | 'restart' | 'update' | 'backup';

interface VerbInWords {
  label: string;
  icon: IconName;
  /** Confirmations of actions that affect players. */
  question?: string;
  consequence?: string;
}

const verbs: Record<Verb, VerbInWords> = {
  start: { label: 'Start', icon: 'play' },
  stop: {
    label: 'Stop',
    icon: 'stop',
    question: 'Stop the battlegroup?',
    consequence:
      'The game servers save and shut down. Players cannot join until the battlegroup is started again.',
  },
  restart: {
    label: 'Restart',
    icon: 'restart',
    question: 'Restart the battlegroup?',
    consequence:
      'Stops it completely and starts it again, which takes a few minutes. A new address and new settings take effect.',
  },
  update: {
    label: 'Update',
    icon: 'download',
    question: 'Update the battlegroup?',
    consequence:
      'Downloads and installs the vendor’s newest version. The update may reset game settings; Game Config shows whether it did.',
  },
  backup: { label: 'Vendor’s backup', icon: 'archive' },
};

export function BattlegroupPanel({ status }: { status: Schemas['Status'] }) {
  const { battlegroup, vm, ssh, needsBootstrap } = status;
  const { tone, words } = battlegroupState(status);
  // What happens within the machine does not depend on Windows, which may not respond.
  const isOpen = vm.state === 'unknown' && ssh.state === 'ready';
  const isWorkable = (vm.state === 'running' || isOpen) && !needsBootstrap;
  return (
    <Section title="Battlegroup" aside={<StateText tone={tone}>{words}</StateText>}>
      {battlegroup === null ? (
        <p className="hint">{absenceOf(status)}</p>
      ) : (
        <Facts
          facts={[
            ['World', battlegroup.title],
            ['Players', playersOn(battlegroup)],
            ['Database', battlegroup.databasePhase],
            ['ID', battlegroup.name],
          ]}
        />
      )}
      {isWorkable && <Verbs battlegroup={battlegroup} />}
    </Section>
  );
}

function absenceOf({ vm, cluster, ssh }: Schemas['Status']): string {
  if (vm.state !== 'running') return 'Shown once the virtual machine is running.';
  if (cluster.state === 'incomplete') return 'The bootstrap is incomplete; “Repair” above completes it.';
  if (cluster.state === 'notAsked')
    return ssh.state === 'unreachable'
      ? 'The virtual machine does not respond yet. After a start this takes about a minute.'
      : 'The virtual machine cannot be reached; the reason is above.';
  return cluster.detail ?? 'There is no battlegroup yet. The setup creates it.';
}

function Verbs({ battlegroup }: { battlegroup: Battlegroup | null }) {
  const running = useRunning();
  const [asking, setAsking] = useState<Verb | null>(null);
  const run = useAction((verb: Verb) => bodyOf(api.POST(`/api/battlegroup/${verb}`)));
  const isOff = battlegroup?.isStopped === true;
  const offered: Verb[] =
    battlegroup === null
      ? ['start', 'stop']
      : isOff
        ? ['start', 'update', 'backup']
        : ['stop', 'restart', 'update', 'backup'];
  const choose = (verb: Verb) => {
    if (verbs[verb].question === undefined || isOff) run.mutate(verb);
    else setAsking(verb);
  };
  const asked = asking === null ? null : verbs[asking];
  return (
    <>
      <div className="actions">
        {offered.map((verb) => (
          <Button
            key={verb}
            variant={verb === 'start' ? 'filled' : 'default'}
            disabled={running !== null || run.isPending}
            onClick={() => choose(verb)}
            leftSection={<Icon name={verbs[verb].icon} size={16} />}
          >
            {verbs[verb].label}
          </Button>
        ))}
      </div>
      <WaitsFor />
      <ProblemAlert error={run.error} />
      <ConfirmDialog
        isOpen={asking !== null}
        title={asked?.question ?? ''}
        action={asked?.label ?? ''}
        isDangerous={asking !== 'update'}
        onConfirm={() => {
          if (asking !== null) run.mutate(asking);
        }}
        onClose={() => setAsking(null)}
      >
        <p>{asked?.consequence}</p>
        <PlayersHit players={playersOn(battlegroup)} />
      </ConfirmDialog>
    </>
  );
}
