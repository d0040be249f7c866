// What takes payments: it opens checkouts, and what it tells afterwards is read from callbacks that it has signed.
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
  /** How often the provider has failed at it: then it is asked anew, as what was never asked. */
  attempt: number;
  /** Where the buyer is led to afterwards, whatever came of it. */
  returnUrl: string;
}

export interface Checkout {
  /** What the provider calls it. */
  reference: string;
  /** Where the buyer pays. */
  url: string;
}

/** Something that a provider tells of a payment. */
export interface PaymentNews {
  eventId: string;
  kind: Schemas['PaymentEvent']['kind'];
  /** As the provider gives back what it was told; null where it does not. */
  orderId: string | null;
  paymentReference: string | null;
  /** When it happened at the provider, where the provider says so. */
  occurredAt?: Date | null;
  /** What was paid, what is given back by now, or the refund that failed, in the smallest unit. */
  amountMinor: number | null;
  currency: string | null;
}

/** A callback just as it came. */
export interface Callback {
  body: Uint8Array;
  signature: string;
}

/** Why a provider has not done what it was asked; anything else that is thrown says nothing about that. */
export class ProviderRefusal extends Error {
  /** `access` where the key is no good, `request` where asking again is no use, `fault` where something is wrong there. */
  readonly kind: 'access' | 'request' | 'fault';

  constructor(kind: ProviderRefusal['kind'], detail: string, cause: unknown) {
    super(detail, { cause });
    this.kind = kind;
  }
}

export interface PaymentProvider {
  readonly name: ProviderName;
  /** The same checkout for the same order, however often it is asked. Never called inside a transaction. */
  openCheckout(request: CheckoutRequest, secretKey: string): Promise<Checkout>;
  /** How the checkout has ended: paid or expired; null while it has not. Never called inside a transaction. */
  askCheckout(reference: string, secretKey: string): Promise<PaymentNews | null>;
  /** Ends the checkout, if it has not ended, and answers how: paid or expired. Never called inside a transaction. */
  closeCheckout(reference: string, secretKey: string): Promise<PaymentNews>;
  /** What the callback tells; null for what is about no payment. Throws `invalid_signature` unless it is signed with that secret. */
  read(callback: Callback, webhookSecret: string): PaymentNews | null;
}

export const invalidSignature = (cause?: unknown) =>
  new DomainError('invalid_signature', 'The callback is not signed as it should be.', { cause });
