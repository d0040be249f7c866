// The tone and the word of a command's status.
import type { Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';

type Command = Schemas['Command'];

/** A cancelled command has failed with an error of its own. */
export const wordOf = ({ status, error }: Command): Command['status'] | 'cancelled' =>
  error?.code === 'cancelled' ? 'cancelled' : status;

export function toneOf({ status, error, finished_at }: Command): Tone {
  if (error?.code === 'cancelled') return 'idle';
  if (status === 'failed' || status === 'expired') return 'bad';
  return finished_at === null ? 'busy' : 'good';
}
