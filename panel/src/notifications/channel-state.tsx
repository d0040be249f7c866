// Whether alerts arrive at a channel.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useTexts } from '../texts/texts.ts';
import { stateOf, type Channel, type ChannelState as State } from './channel.ts';

const tones: Readonly<Record<State, Tone>> = {
  working: 'good',
  failing: 'bad',
  unused: 'idle',
  disabled: 'idle',
  incomplete: 'bad',
};

export function ChannelState({ channel }: { channel: Channel }) {
  const t = useTexts('notifications');
  const state = stateOf(channel);
  return <StateText tone={tones[state]}>{t(`state.${state}`)}</StateText>;
}
