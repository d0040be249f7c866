// Sandbox payments, which move no money: anyone with an order's id chooses its outcome.
import { randomUUID } from 'node:crypto';
import type { Schemas } from '../platform-contract/types.ts';
import type { Currency } from './money.ts';
import type { PaymentNews } from './provider.ts';

const kinds = {
  paid: 'paid',
  failed: 'failed',
  refunded: 'refunded',
  refund_failed: 'refund_failed',
  disputed: 'dispute_opened',
} as const satisfies Record<Schemas['PaymentSimulation']['outcome'], PaymentNews['kind']>;

interface SandboxOrder {
  id: string;
  totalMinor: number;
  currency: Currency;
}

export const sandboxReference = (orderId: string): string => `sandbox ${orderId}`;

/** The event that a provider would send for that outcome. */
export function sandboxNews(
  { id, totalMinor, currency }: SandboxOrder,
  outcome: Schemas['PaymentSimulation']['outcome'],
): PaymentNews {
  const isAboutMoney = outcome === 'paid' || outcome === 'refunded' || outcome === 'refund_failed';
  return {
    eventId: `sandbox ${randomUUID()}`,
    kind: kinds[outcome],
    occurredAt: new Date(),
    orderId: id,
    paymentReference: sandboxReference(id),
    amountMinor: isAboutMoney ? totalMinor : null,
    currency: isAboutMoney ? currency : null,
  };
}
