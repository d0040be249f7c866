// Payments with Stripe: Checkout Sessions for orders, and the events that Stripe signs.
import type Stripe from 'stripe';
import type { Currency } from './money.ts';
import {
  invalidSignature,
  ProviderRefusal,
  type Callback,
  type Checkout,
  type CheckoutRequest,
  type PaymentNews,
  type PaymentProvider,
} from './provider.ts';

const toleranceSeconds = 300;
const timeoutMs = 8_000;
const maxRetries = 2;

/** Currencies without decimals for which Stripe expects two, both zero. */
const withTwoDecimals: ReadonlySet<string> = new Set<Currency>(['ISK']);

/** Converts between our smallest unit and Stripe's. */
const toStripe = (minor: number, currency: Currency) => (withTwoDecimals.has(currency) ? minor * 100 : minor);
const fromStripe = (amount: number, currency: string) =>
  withTwoDecimals.has(currency) ? amount / 100 : amount;

export class StripePayments implements PaymentProvider {
  readonly name = 'stripe';
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async openCheckout(
    { orderId, licenseId, currency, lines, expiresAt, returnUrl, attempt }: CheckoutRequest,
    secretKey: string,
  ): Promise<Checkout> {
    const metadata = { order_id: orderId, license_id: licenseId };
    const { sessions } = (await stripeAt(this.#url, secretKey)).checkout;
    const opening = sessions.create(
      {
        mode: 'payment',
        // Cards are charged at once: no payment can complete after its checkout has ended.
        allowed_payment_method_types: ['card'],
        client_reference_id: orderId,
        metadata,
        payment_intent_data: { metadata },
        line_items: lines.map(({ name, unitMinor, quantity }) => ({
          quantity,
          price_data: {
            currency: currency.toLowerCase(),
            unit_amount: toStripe(unitMinor, currency),
            product_data: { name },
          },
        })),
        expires_at: Math.floor(expiresAt.getTime() / 1000),
        success_url: returnUrl,
        cancel_url: returnUrl,
      },
      // Stripe replays errors for the same key, so each attempt needs a new one.
      { idempotencyKey: attempt === 0 ? `order ${orderId}` : `order ${orderId} ${attempt}` },
    );
    const { id, url } = await opening.catch(refuse);
    if (url === null) throw new Error('Stripe has opened a checkout without an address');
    return { reference: id, url };
  }

  async askCheckout(reference: string, secretKey: string): Promise<PaymentNews | null> {
    const { sessions } = (await stripeAt(this.#url, secretKey)).checkout;
    const session = await sessions.retrieve(reference).catch(refuse);
    const hasEnded = session.payment_status === 'paid' || session.status === 'expired';
    return hasEnded ? newsOfSession(session) : null;
  }

  async closeCheckout(reference: string, secretKey: string): Promise<PaymentNews> {
    const { sessions } = (await stripeAt(this.#url, secretKey)).checkout;
    const found = await sessions.retrieve(reference).catch(refuse);
    return newsOfSession(found.status === 'open' ? await sessions.expire(reference) : found);
  }

  async read(callback: Callback, webhookSecret: string): Promise<PaymentNews | null> {
    return newsIn(await stripeEvent(callback, webhookSecret));
  }
}

/** Statuses without a definite outcome: another request with the same key is running, or the rate limit is reached. */
const unanswered = [408, 409, 429];

/** Throws Stripe's definite refusals as `ProviderRefusal`. */
async function refuse(error: unknown): Promise<never> {
  const { StripeError } = (await loadStripe()).errors;
  const status = error instanceof StripeError ? error.statusCode : undefined;
  if (status === undefined || unanswered.includes(status)) throw error;
  const detail = error instanceof Error ? error.message : '';
  if (status >= 500) throw new ProviderRefusal('fault', detail, error);
  throw new ProviderRefusal(status === 401 || status === 403 ? 'access' : 'request', detail, error);
}

/** The outcome of an ended session. */
function newsOfSession(session: Stripe.Checkout.Session): PaymentNews {
  const kind = session.payment_status === 'paid' ? 'paid' : 'expired';
  return {
    eventId: `${session.id} ${kind}`,
    kind,
    ...ofSession(fieldsOf(session)),
    ...(kind === 'expired' && noAmount),
  };
}

/** Stripe's package has 218 modules, which installations without payments never load. */
export const loadStripe = async () => (await import('stripe')).default;

/** The Stripe client for that key. Its requests have a timeout, and are retried if there is no response. */
export async function stripeAt(url: string, secretKey: string): Promise<Stripe> {
  const { protocol, hostname, port } = new URL(url);
  const Client = await loadStripe();
  return new Client(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port !== '' && { port }),
    timeout: timeoutMs,
    maxNetworkRetries: maxRetries,
    telemetry: false,
  });
}

/** Verifies the signature on the raw bytes and returns the event. Without a secret no signature is valid. */
export async function stripeEvent(
  { body, signature }: Callback,
  webhookSecret: string,
): Promise<Stripe.Event> {
  if (webhookSecret === '') throw invalidSignature();
  if (isFromTheFuture(signature)) throw invalidSignature();
  const { webhooks } = await loadStripe();
  try {
    return webhooks.constructEvent(Buffer.from(body), signature, webhookSecret, toleranceSeconds);
  } catch (error) {
    throw invalidSignature(error);
  }
}

/** Stripe's own check refuses only timestamps that are too old. */
function isFromTheFuture(signature: string): boolean {
  const latest = Date.now() / 1000 + toleranceSeconds;
  return [...signature.matchAll(/(?:^|,)t=(\d+)/g)].some(([, seconds]) => Number(seconds) > latest);
}

/** Ignores payloads that are not Stripe events about payments. */
function newsIn({
  id,
  type,
  data,
  created,
}: {
  id: string;
  type: string;
  data: unknown;
  created: unknown;
}): PaymentNews | null {
  const eventId = textOf(id);
  if (eventId === null) return null;
  const subject = fieldsOf(fieldsOf(data)['object']);
  const about = (kind: PaymentNews['kind'], fields: Subject): PaymentNews => ({
    eventId,
    kind,
    occurredAt: momentOf(created),
    ...fields,
  });
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const isPaid = subject['mode'] === 'payment' && subject['payment_status'] === 'paid';
      return isPaid ? about('paid', ofSession(subject)) : null;
    }
    case 'checkout.session.async_payment_failed':
      return about('failed', { ...ofSession(subject), ...noAmount });
    case 'checkout.session.expired':
      return about('expired', { ...ofSession(subject), ...noAmount });
    case 'charge.refunded':
      return about('refunded', ofCharge(subject));
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.refund.updated': {
      const refundId = textOf(subject['id']);
      if (refundId === null || !failedRefunds.includes(textOf(subject['status']) ?? '')) return null;
      // Several events may report the same failure, so its id comes from the refund.
      return { ...about('refund_failed', ofRefund(subject)), eventId: `${refundId} failed` };
    }
    case 'charge.dispute.created':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.closed': {
      const status = textOf(subject['status']);
      if (status === null || status.startsWith(inquiry)) return null;
      if (type !== 'charge.dispute.closed') return about('dispute_opened', ofDispute(subject));
      return about(status === 'lost' ? 'dispute_lost' : 'dispute_won', ofDispute(subject));
    }
    default:
      return null;
  }
}

/** Statuses of a bank's inquiry, before money is withdrawn. A withdrawal is reported by an event of its own. */
const inquiry = 'warning_';

/** Statuses of a refund whose money returned to the account. */
const failedRefunds = ['failed', 'canceled'];

type Subject = Omit<PaymentNews, 'eventId' | 'kind' | 'occurredAt'>;

const ofSession = (session: Fields): Subject => ({
  orderId: textOf(session['client_reference_id']),
  paymentReference: idOf(session['payment_intent']),
  ...amounts(session['amount_total'], session['currency']),
});

const noAmount = { amountMinor: null, currency: null };

/** A charge has the metadata that its payment was created with. */
const ofCharge = (charge: Fields): Subject => ({
  orderId: textOf(fieldsOf(charge['metadata'])['order_id']),
  paymentReference: idOf(charge['payment_intent']),
  ...amounts(charge['amount_refunded'], charge['currency']),
});

/** A refund has no order id; its payment is linked to the order. */
const ofRefund = (refund: Fields): Subject => ({
  orderId: null,
  paymentReference: idOf(refund['payment_intent']),
  ...amounts(refund['amount'], refund['currency']),
});

/** A dispute names its payment, and the payment is linked to the order. */
const ofDispute = (dispute: Fields): Subject => ({
  orderId: null,
  paymentReference: idOf(dispute['payment_intent']),
  ...noAmount,
});

function amounts(amount: unknown, currency: unknown) {
  const code = textOf(currency)?.toUpperCase() ?? null;
  const counted = wholeOf(amount);
  return {
    amountMinor: counted === null || code === null ? null : wholeOf(fromStripe(counted, code)),
    currency: code,
  };
}

/** Fields of an event, whose shape is not trusted: an invalid field counts as absent. */
type Fields = Readonly<Record<string, unknown>>;

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Text that the database can store and people can read. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x20-\x7e]{1,300}$/.test(value) ? value : null;

const wholeOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Converts seconds since 1970. */
export function momentOf(value: unknown): Date | null {
  const seconds = wholeOf(value);
  return seconds === null || seconds > lastSecond ? null : new Date(seconds * 1000);
}

/** The id of a reference, whether it is an id or an expanded object. */
export const idOf = (reference: unknown): string | null =>
  textOf(reference) ?? textOf(fieldsOf(reference)['id']);
