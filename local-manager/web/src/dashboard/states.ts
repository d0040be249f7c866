// The states of the machine as text and colour.
import type { components } from '../../../../generated/local-manager.d.ts';
import { agoInWords } from '../operations/words.ts';
import type { Tone } from '@gantry/ui/tone.ts';

type Status = components['schemas']['Status'];

interface StateInWords {
  tone: Tone;
  words: string;
}

const vmStates: Record<Status['vm']['state'], StateInWords> = {
  missing: { tone: 'idle', words: 'Not created' },
  off: { tone: 'idle', words: 'Off' },
  starting: { tone: 'busy', words: 'Starting' },
  running: { tone: 'good', words: 'Running' },
  stopping: { tone: 'busy', words: 'Stopping' },
  saved: { tone: 'idle', words: 'Saved' },
  paused: { tone: 'idle', words: 'Paused' },
  other: { tone: 'busy', words: 'In transition' },
  unknown: { tone: 'bad', words: 'Unknown' },
};

export const vmState = ({ vm }: Status): StateInWords => vmStates[vm.state];

const clusterStates: Record<Status['cluster']['state'], StateInWords> = {
  notAsked: { tone: 'bad', words: 'Unreachable' },
  starting: { tone: 'busy', words: 'Cluster is starting' },
  failed: { tone: 'bad', words: 'Unknown' },
  empty: { tone: 'idle', words: 'Not created' },
  incomplete: { tone: 'bad', words: 'Setup incomplete' },
  ready: { tone: 'idle', words: 'Not created' },
  several: { tone: 'bad', words: 'More than one' },
};

/** A state that is older than this is not shown as the present one. */
const maxAgeMs = 60_000;

export function battlegroupState(status: Status, now: number = Date.now()): StateInWords {
  const { battlegroup, cluster, vm } = status;
  if (battlegroup !== null) {
    const ageMs = now - Date.parse(cluster.observedAt ?? '');
    if (!(ageMs <= maxAgeMs)) return { tone: 'idle', words: `${battlegroup.phase} ${agoInWords(ageMs)}` };
    const { phase, isStopped, isReachable } = battlegroup;
    if (isReachable && !isStopped) return { tone: 'good', words: phase };
    if (isStopped && phase === 'Stopped') return { tone: 'idle', words: phase };
    return { tone: 'busy', words: phase };
  }
  if (vm.state === 'unknown') return { tone: 'bad', words: 'Unknown' };
  if (vm.state !== 'running') return { tone: 'idle', words: vm.state === 'missing' ? 'Not created' : 'Off' };
  return clusterStates[cluster.state];
}

/** `31.5 GB`; a dash where it is unknown. */
export function gigabytes(value: number | null): string {
  return value === null ? '–' : `${Math.round(value * 10) / 10} GB`;
}
