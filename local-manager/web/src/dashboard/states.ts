// The states of the machine as text and colour.
import type { Schemas } from '../api/client.ts';
import type { Tone } from '@gantry/ui/state-text.tsx';

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
  unknown: { tone: 'bad', words: 'Unknown' },
};

export const vmState = ({ vm }: Status): StateInWords => vmStates[vm.state];

const clusterStates: Record<Status['cluster']['state'], StateInWords> = {
  notAsked: { tone: 'bad', words: 'Can’t be asked' },
  starting: { tone: 'busy', words: 'The cluster starts' },
  failed: { tone: 'bad', words: 'Unknown' },
  empty: { tone: 'idle', words: 'None yet' },
  incomplete: { tone: 'bad', words: 'Setup incomplete' },
  ready: { tone: 'idle', words: 'None yet' },
  several: { tone: 'bad', words: 'More than one' },
};

export function battlegroupState({ battlegroup, cluster, vm }: Status): StateInWords {
  if (battlegroup !== null) {
    const { phase, isStopped, isReachable } = battlegroup;
    if (isReachable && !isStopped) return { tone: 'good', words: phase };
    if (isStopped && phase === 'Stopped') return { tone: 'idle', words: phase };
    return { tone: 'busy', words: phase };
  }
  if (vm.state !== 'running') return { tone: 'idle', words: vm.state === 'missing' ? 'None yet' : 'Off' };
  return clusterStates[cluster.state];
}

/** `31.5 GB`; a dash where it is unknown. */
export function gigabytes(value: number | null): string {
  return value === null ? '–' : `${Math.round(value * 10) / 10} GB`;
}
