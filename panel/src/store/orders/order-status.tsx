// The status of an order.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useTexts } from '../../texts/texts.ts';

type Status = Schemas['StoreOrderStatus'];

const tones: Record<Status, Tone> = {
  pending: 'busy',
  paid: 'good',
  partially_refunded: 'idle',
  refunded: 'idle',
  disputed: 'bad',
  failed: 'bad',
  expired: 'idle',
};

export function OrderStatus({ status }: { status: Status }) {
  const t = useTexts('store');
  return <StateText tone={tones[status]}>{t(`orderStatus.${status}`)}</StateText>;
}
