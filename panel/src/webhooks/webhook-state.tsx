// Whether events arrive at a webhook.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useTexts } from '../texts/texts.ts';
import { stateOf, type Webhook, type WebhookState as State } from './webhook.ts';

const tones: Readonly<Record<State, Tone>> = {
  working: 'good',
  failing: 'bad',
  unused: 'idle',
  disabled: 'idle',
  stopped: 'bad',
  unreadable: 'bad',
};

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const state = stateOf(webhook);
  return <StateText tone={tones[state]}>{t(`state.${state}`)}</StateText>;
}
