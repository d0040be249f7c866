// The names and durations of operations as text.
import type { Operation, OperationKind } from './operations-feed.ts';

const names: Record<OperationKind, string> = {
  startVm: 'Start the virtual machine',
  stopVm: 'Stop the virtual machine',
  changeMemory: 'Change the memory',
  startBattlegroup: 'Start the battlegroup',
  stopBattlegroup: 'Stop the battlegroup',
  restartBattlegroup: 'Restart the battlegroup',
  updateBattlegroup: 'Update the battlegroup',
  backUpBattlegroup: 'Back up the battlegroup',
  createBackup: 'Back up to this host',
  restoreBackup: 'Restore a backup',
  importVm: 'Import the virtual machine',
  secureVm: 'Lock the virtual machine',
  recoverKey: 'Recover access',
  acceptHostKey: 'Accept the host key',
  setUpNetwork: 'Set up the network',
  bootstrap: 'Bootstrap the battlegroup',
  repair: 'Repair the setup',
  reset: 'Delete and start fresh',
  changeVisibility: 'Change the address',
  changeGameConfig: 'Save the game settings',
  deployGameConfig: 'Apply the game settings',
  unlockTech: 'Unlock the tech tree',
};

const states: Record<Operation['state'], string> = {
  running: 'Running',
  succeeded: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
};

export const nameOf = (kind: OperationKind): string => names[kind];
export const stateInWords = (state: Operation['state']): string => states[state];

/** `4:07`, or `1:04:07` from an hour on. */
export function durationInWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const padded = (part: number) => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`;
}

/** `3 days`, `2 hours`, `5 minutes`: the age of a state. */
export function ageInWords(seconds: number): string {
  if (seconds < 60) return 'less than a minute';
  const [count, unit] =
    seconds >= 172_800
      ? [Math.floor(seconds / 86_400), 'day']
      : seconds >= 7_200
        ? [Math.floor(seconds / 3_600), 'hour']
        : [Math.floor(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `5 minutes ago`, for an observation. */
export const agoInWords = (ageMs: number): string =>
  Number.isFinite(ageMs) ? `${ageInWords(ageMs / 1_000)} ago` : 'earlier';

export function elapsedOf(
  { startedAt, endedAt }: Pick<Operation, 'startedAt' | 'endedAt'>,
  now: number,
): string {
  return durationInWords((endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt));
}

/** The percentage of the running step if it is measured, or else of completed steps; null without steps. */
export function progressOf({ steps, state }: Operation): number | null {
  if (state === 'succeeded') return 100;
  const measured = steps.findLast((step) => step.state === 'running')?.percent;
  if (measured !== undefined) return measured;
  if (steps.length === 0) return null;
  const through = steps.filter((step) => step.state === 'succeeded' || step.state === 'skipped').length;
  return Math.round((100 * through) / steps.length);
}

/** An operation in one line. */
export function sentenceOf(operation: Operation): string {
  const { state, steps, result, problem } = operation;
  if (problem !== null) return problem.detail;
  if (state === 'running') {
    const step = steps.find((candidate) => candidate.state === 'running');
    if (step === undefined) return 'Beginning';
    const { name, detail, percent } = step;
    const remark = [detail, percent === undefined ? null : `${percent} %`].filter(Boolean).join(', ');
    return remark === '' ? name : `${name}: ${remark}`;
  }
  return result?.summary ?? stateInWords(state);
}
