// The status of a delivery.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useTexts } from '../../texts/texts.ts';

type Status = Schemas['StoreDeliveryStatus'];

const tones: Record<Status, Tone> = {
  waiting: 'busy',
  waiting_for_player: 'busy',
  sent: 'busy',
  delivered: 'good',
  failed: 'bad',
  uncertain: 'bad',
  expired: 'idle',
  cancelled: 'idle',
};

export function DeliveryStatus({ status }: { status: Status }) {
  const t = useTexts('store');
  return <StateText tone={tones[status]}>{t(`deliveryStatus.${status}`)}</StateText>;
}
