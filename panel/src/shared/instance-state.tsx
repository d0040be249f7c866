// The state of a game server.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useTexts } from '../texts/texts.ts';

export type InstanceStateName = Schemas['GameInstanceState'];

const tones: Record<InstanceStateName, Tone> = {
  running: 'good',
  starting: 'busy',
  stopping: 'busy',
  crashed: 'bad',
  stopped: 'idle',
  offline: 'idle',
};

export const instanceStates = Object.keys(tones) as InstanceStateName[];

export function InstanceState({ state }: { state: InstanceStateName }) {
  const t = useTexts('common');
  return <StateText tone={tones[state]}>{t(`instanceState.${state}`)}</StateText>;
}
