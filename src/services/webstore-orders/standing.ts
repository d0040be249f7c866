// How the payment of an order stands, whatever order its news comes in and however often.
import type { Schemas } from '../../contract-types.ts';
import type { PaymentNews } from '../../payments/provider.ts';

export interface Standing {
  totalMinor: number;
  isPaid: boolean;
  hasFailed: boolean;
  hasExpired: boolean;
  refundedMinor: number;
  dispute: 'none' | 'open' | 'won' | 'lost';
}

const disputeOrder = ['none', 'open', 'won', 'lost'] as const;

/** What is known after that news: nothing that was known is forgotten, so that the order of news does not matter. */
export function after(
  standing: Standing,
  { kind, amountMinor }: Pick<PaymentNews, 'kind' | 'amountMinor'>,
): Standing {
  switch (kind) {
    case 'paid':
      return { ...standing, isPaid: true };
    case 'failed':
      return { ...standing, hasFailed: true };
    case 'expired':
      return { ...standing, hasExpired: true };
    case 'refunded':
      return { ...standing, refundedMinor: Math.max(standing.refundedMinor, amountMinor ?? 0) };
    case 'dispute_opened':
      return disputed(standing, 'open');
    case 'dispute_won':
      return disputed(standing, 'won');
    case 'dispute_lost':
      return disputed(standing, 'lost');
  }
}

function disputed(standing: Standing, dispute: Standing['dispute']): Standing {
  const isFurther = disputeOrder.indexOf(dispute) > disputeOrder.indexOf(standing.dispute);
  return isFurther ? { ...standing, dispute } : standing;
}

export function statusOf(standing: Standing): Schemas['StoreOrderStatus'] {
  const { totalMinor, isPaid, hasFailed, hasExpired, refundedMinor, dispute } = standing;
  if (dispute === 'open' || dispute === 'lost') return 'disputed';
  if (refundedMinor >= totalMinor) return 'refunded';
  if (isPaid) return refundedMinor > 0 ? 'partially_refunded' : 'paid';
  if (hasFailed) return 'failed';
  return hasExpired ? 'expired' : 'pending';
}

/** Whether what was bought is the buyer's. */
export const isOwned = (status: Schemas['StoreOrderStatus']): boolean =>
  status === 'paid' || status === 'partially_refunded';

/** Whether what was bought is to be taken back. */
export const isReversed = (status: Schemas['StoreOrderStatus']): boolean =>
  status === 'refunded' || status === 'disputed';

/** Whether the news is about the payment, the amount and the currency that the order is about. */
export function isConsistent(
  {
    kind,
    amountMinor,
    currency,
    paymentReference = null,
  }: Pick<PaymentNews, 'kind' | 'amountMinor' | 'currency'> & { paymentReference?: string | null },
  order: { totalMinor: number; currency: string; paymentReference?: string | null | undefined },
): boolean {
  const known = order.paymentReference ?? null;
  if (known !== null && paymentReference !== null && known !== paymentReference) return false;
  if (kind === 'paid') return amountMinor === order.totalMinor && currency === order.currency;
  if (kind !== 'refunded') return true;
  return (
    amountMinor !== null && amountMinor > 0 && amountMinor <= order.totalMinor && currency === order.currency
  );
}
