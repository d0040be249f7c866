// The payment state of an order, independent of the order and the number of its events.
import type { Schemas } from '../../../platform-contract/types.ts';
import type { PaymentNews } from '../../../payments/provider.ts';

/** The cumulative amount refunded at a time, or a refund that failed then. */
export interface RefundEntry {
  at: number;
  amountMinor: number;
  /** The id of a failure, equal in every event that reports it. */
  failureId?: string;
}

export interface PaymentState {
  totalMinor: number;
  isPaid: boolean;
  hasFailed: boolean;
  hasExpired: boolean;
  refundedMinor: number;
  refunds: readonly RefundEntry[];
  dispute: 'none' | 'open' | 'won' | 'lost';
}

const disputeOrder = ['none', 'open', 'won', 'lost'] as const;

/** Merges the event into the state. Nothing known is dropped, so that the order of events does not matter. */
export function after(
  state: PaymentState,
  {
    kind,
    amountMinor,
    occurredAt,
    eventId = '',
  }: Pick<PaymentNews, 'kind' | 'amountMinor' | 'occurredAt'> & { eventId?: string },
): PaymentState {
  const entry = { at: occurredAt?.getTime() ?? 0, amountMinor: amountMinor ?? 0 };
  switch (kind) {
    case 'paid':
      return { ...state, isPaid: true };
    case 'failed':
      return { ...state, hasFailed: true };
    case 'expired':
      return { ...state, hasExpired: true };
    case 'refunded':
      return withRefund(state, entry);
    case 'refund_failed':
      return withRefund(state, { ...entry, failureId: eventId });
    case 'dispute_opened':
      return disputed(state, 'open');
    case 'dispute_won':
      return disputed(state, 'won');
    case 'dispute_lost':
      return disputed(state, 'lost');
  }
}

function withRefund(state: PaymentState, entry: RefundEntry): PaymentState {
  const refunds = merged([...state.refunds, entry]);
  return { ...state, refunds, refundedMinor: refundedIn(refunds) };
}

/** Keeps each failure once, and only totals that no later total includes, so that the list stays short. */
function merged(refunds: readonly RefundEntry[]): RefundEntry[] {
  const sorted = refunds.toSorted(
    (one, other) =>
      one.at - other.at ||
      one.amountMinor - other.amountMinor ||
      (one.failureId ?? '').localeCompare(other.failureId ?? ''),
  );
  return sorted.filter(({ failureId, amountMinor }, place) =>
    failureId === undefined
      ? !sorted.slice(place + 1).some((later) => isTotal(later) && later.amountMinor >= amountMinor)
      : sorted.findIndex((one) => one.failureId === failureId) === place,
  );
}

/**
 * Providers report the cumulative refund less what had failed by then. The maximum of total plus earlier failures is
 * all that was ever refunded; the failed part still has to reach the buyer.
 */
function refundedIn(refunds: readonly RefundEntry[]): number {
  const failedBefore = (at: number) =>
    refunds
      .filter((one) => !isTotal(one) && one.at < at)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const begun = refunds.filter(isTotal).map(({ at, amountMinor }) => amountMinor + failedBefore(at));
  return Math.max(0, Math.max(0, ...begun) - failedBefore(Infinity));
}

const isTotal = ({ failureId }: RefundEntry) => failureId === undefined;

function disputed(state: PaymentState, dispute: PaymentState['dispute']): PaymentState {
  const isFurther = disputeOrder.indexOf(dispute) > disputeOrder.indexOf(state.dispute);
  return isFurther ? { ...state, dispute } : state;
}

export function statusOf(state: PaymentState): Schemas['StoreOrderStatus'] {
  const { totalMinor, isPaid, hasFailed, hasExpired, refundedMinor, dispute } = state;
  if (dispute === 'open' || dispute === 'lost') return 'disputed';
  if (refundedMinor >= totalMinor) return 'refunded';
  if (isPaid) return refundedMinor > 0 ? 'partially_refunded' : 'paid';
  if (hasFailed) return 'failed';
  return hasExpired ? 'expired' : 'pending';
}

/** Whether the buyer owns the items in this status. */
export const isOwned = (status: Schemas['StoreOrderStatus']): boolean =>
  status === 'paid' || status === 'partially_refunded';

/** Whether the items must be revoked in this status. */
export const isReversed = (status: Schemas['StoreOrderStatus']): boolean =>
  status === 'refunded' || status === 'disputed';

/** Whether the event matches the order's payment, amount and currency. */
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
  if (kind !== 'refunded' && kind !== 'refund_failed') return true;
  return (
    amountMinor !== null && amountMinor > 0 && amountMinor <= order.totalMinor && currency === order.currency
  );
}
