// The tone of a command's status.
import type { Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';

export function toneOf({ status, finished_at }: Schemas['Command']): Tone {
  if (status === 'failed' || status === 'expired') return 'bad';
  return finished_at === null ? 'busy' : 'good';
}
