// The status and outcome of a delivery.
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useTexts } from '../texts/texts.ts';
import type { Delivery } from './webhook.ts';

const tones: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'busy',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'idle',
};

export function DeliveryStatus({ status }: { status: Delivery['status'] }) {
  const t = useTexts('webhooks');
  return <StateText tone={tones[status]}>{t(`deliveries.statuses.${status}`)}</StateText>;
}

/** The outcome of an attempt with the status of the response, in words. */
export function useOutcome(): (
  outcome: Schemas['WebhookAttemptOutcome'],
  statusCode: number | null,
) => string {
  const t = useTexts('webhooks');
  return (outcome, statusCode) => {
    const name = t(`deliveries.outcomes.${outcome}`);
    return statusCode === null
      ? name
      : t('deliveries.withStatus', { outcome: name, status: String(statusCode) });
  };
}
