// A summary of the machine's state beside every page.
import type { Schemas } from './api/client.ts';
import classes from './machine-state.module.css';
import { battlegroupState, vmState } from './dashboard/states.ts';
import { StateText } from '@gantry/ui/state-text.tsx';

export function MachineState({
  status,
  isSilent,
}: {
  status: Schemas['Status'] | undefined;
  isSilent: boolean;
}) {
  if (isSilent) return <StateText tone="bad">No response</StateText>;
  if (status === undefined) return null;
  const vm = vmState(status);
  const battlegroup = battlegroupState(status);
  return (
    <div className={classes.states}>
      <span>
        <span className={classes.what}>VM</span>
        <StateText tone={vm.tone}>{vm.words}</StateText>
      </span>
      <span>
        <span className={classes.what}>Battlegroup</span>
        <StateText tone={battlegroup.tone}>{battlegroup.words}</StateText>
      </span>
      <span className={classes.version}>Version {status.version}</span>
    </div>
  );
}
