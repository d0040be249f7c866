// The state of a game server.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useTexts } from '../texts/texts.ts';

export type InstanceStateName = Schemas['GameInstanceState'];

/** For rows of long tables, where the component's own hooks would be dear. */
export const instanceTones: Record<InstanceStateName, Tone> = {
  running: 'good',
  starting: 'busy',
  stopping: 'busy',
  crashed: 'bad',
  stopped: 'idle',
  offline: 'idle',
};

export const instanceStates = Object.keys(instanceTones) as InstanceStateName[];

export function InstanceState({ state }: { state: InstanceStateName }) {
  const t = useTexts('common');
  return <StateText tone={instanceTones[state]}>{t(`instanceState.${state}`)}</StateText>;
}
