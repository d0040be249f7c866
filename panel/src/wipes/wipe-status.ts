// What each status of a wipe means: its tone, and whether it is over.
import type { Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';

export type Wipe = Schemas['Wipe'];
export type WipeStatus = Schemas['WipeStatus'];

const tones: Record<WipeStatus, Tone> = {
  planned: 'busy',
  announcing: 'busy',
  stopping: 'busy',
  backing_up: 'busy',
  deleting: 'busy',
  starting: 'busy',
  completed: 'good',
  failed: 'bad',
  rolled_back: 'bad',
  cancelled: 'idle',
};

export const wipeStatuses = Object.keys(tones) as WipeStatus[];

export const toneOf = (status: WipeStatus): Tone => tones[status];

export type Phase = 'planned' | 'announcing' | 'stopping' | 'backing_up' | 'deleting' | 'starting';

/** The phases that this wipe goes through. */
export function phasesOf({ countdown_seconds, backup }: Wipe): Phase[] {
  return [
    'planned',
    ...(countdown_seconds > 0 ? (['announcing'] as const) : []),
    'stopping',
    ...(backup ? (['backing_up'] as const) : []),
    'deleting',
    'starting',
  ];
}

export const isCancellable = ({ status }: Wipe): boolean => status === 'planned' || status === 'announcing';
