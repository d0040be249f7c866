// What came of an action on a player.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useTexts } from '../texts/texts.ts';

const tones: Record<Schemas['PlayerActionStatus'], Tone> = {
  pending: 'busy',
  succeeded: 'good',
  failed: 'bad',
  expired: 'bad',
};

export function ActionStatus({ status }: { status: Schemas['PlayerActionStatus'] }) {
  const t = useTexts('players');
  return <StateText tone={tones[status]}>{t(`status.${status}`)}</StateText>;
}
