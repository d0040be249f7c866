// The states of the machine in words and in tones.
import type { Schemas } from '../api/client.ts';
import type { Tone } from '../shared/state-text.tsx';

type Status = Schemas['Status'];

interface StateInWords {
  tone: Tone;
  words: string;
}

const vmStates: Record<Status['vm']['state'], StateInWords> = {
  missing: { tone: 'idle', words: 'Not there yet' },
  off: { tone: 'idle', words: 'Off' },
  starting: { tone: 'busy', words: 'Starting' },
  running: { tone: 'good', words: 'Running' },
  stopping: { tone: 'busy', words: 'Stopping' },
  saved: { tone: 'idle', words: 'Saved' },
  paused: { tone: 'idle', words: 'Paused' },
  other: { tone: 'busy', words: 'Between states' },
  unknown: { tone: 'bad', words: 'Can’t be told' },
};

export const vmState = ({ vm }: Status): StateInWords => vmStates[vm.state];

export function battlegroupState({ battlegroup, needsBootstrap, vm, ssh }: Status): StateInWords {
  if (battlegroup !== null) {
    const { phase, isStopped, isReachable } = battlegroup;
    if (isReachable && !isStopped) return { tone: 'good', words: phase };
    if (isStopped && phase === 'Stopped') return { tone: 'idle', words: phase };
    return { tone: 'busy', words: phase };
  }
  if (needsBootstrap) return { tone: 'bad', words: 'Setup incomplete' };
  if (vm.state !== 'running') return { tone: 'idle', words: vm.state === 'missing' ? 'None yet' : 'Off' };
  if (ssh.state !== 'ready') return { tone: 'bad', words: 'Can’t be asked' };
  return { tone: 'idle', words: 'None yet' };
}

/** `31.5 GB`; a dash where it is not known. */
export function gigabytes(value: number | null): string {
  return value === null ? '–' : `${Math.round(value * 10) / 10} GB`;
}
