// The interface of payment providers: they open checkouts and report outcomes in signed callbacks.
import type { Schemas } from '../platform-contract/types.ts';
import { DomainError } from '../errors.ts';
import type { Currency } from './money.ts';

export type ProviderName = Schemas['PaymentProviderName'];

export interface CheckoutLine {
  name: string;
  unitMinor: number;
  quantity: number;
}

export interface CheckoutRequest {
  orderId: string;
  licenseId: string;
  currency: Currency;
  lines: readonly CheckoutLine[];
  expiresAt: Date;
  /** How often the provider has failed this request; each attempt has an idempotency key of its own. */
  attempt: number;
  /** Where the buyer is redirected afterwards, for every outcome. */
  returnUrl: string;
}

export interface Checkout {
  /** The provider's id of the checkout. */
  reference: string;
  /** The URL where the buyer pays. */
  url: string;
}

/** A payment event from a provider. */
export interface PaymentNews {
  eventId: string;
  kind: Schemas['PaymentEvent']['kind'];
  /** The order id that the provider was given; null if the event lacks it. */
  orderId: string | null;
  paymentReference: string | null;
  /** When it happened at the provider, if the provider reports it. */
  occurredAt?: Date | null;
  /** The amount paid, the cumulative refund or the failed refund, in the smallest unit. */
  amountMinor: number | null;
  currency: string | null;
}

/** A callback with its raw body. */
export interface Callback {
  body: Uint8Array;
  signature: string;
}

/** A definite refusal by the provider. Any other error leaves the outcome open. */
export class ProviderRefusal extends Error {
  /** `access`: the key is invalid. `request`: a retry is useless. `fault`: the provider has a problem. */
  readonly kind: 'access' | 'request' | 'fault';

  constructor(kind: ProviderRefusal['kind'], detail: string, cause: unknown) {
    super(detail, { cause });
    this.kind = kind;
  }
}

export interface PaymentProvider {
  readonly name: ProviderName;
  /** Idempotent: returns the same checkout for the same order and attempt. Never call it inside a transaction. */
  openCheckout(request: CheckoutRequest, secretKey: string): Promise<Checkout>;
  /** Returns how the checkout ended, paid or expired; null if it is still open. Never call it inside a transaction. */
  askCheckout(reference: string, secretKey: string): Promise<PaymentNews | null>;
  /** Ends the checkout if it is open, and returns how it ended: paid or expired. Never call it inside a transaction. */
  closeCheckout(reference: string, secretKey: string): Promise<PaymentNews>;
  /**
   * Returns the callback's event; null if it is not about a payment. Throws `invalid_signature` unless it is signed
   * with that secret.
   */
  read(callback: Callback, webhookSecret: string): Promise<PaymentNews | null>;
}

export const invalidSignature = (cause?: unknown) =>
  new DomainError('invalid_signature', 'The callback is not signed as it should be.', { cause });
