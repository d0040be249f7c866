// Webstore subscriptions of licenses through the platform's own Stripe account.
import type Stripe from 'stripe';
import { fieldsOf, idOf, loadStripe, momentOf, textOf, stripeAt, stripeEvent } from './stripe.ts';
import { minorOf } from './money.ts';
import type { Callback, Checkout } from './provider.ts';
import type { PaymentSettings } from './settings.ts';

export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired';

/** A subscription event from Stripe. */
export interface SubscriptionNews {
  eventId: string;
  subscriptionId: string;
  reference: string;
  status: SubscriptionStatus;
  endsAt: Date | null;
  at: Date;
}

export interface SubscriptionRequest {
  subscriptionId: string;
  licenseId: string;
  trialDays: number;
  returnUrl: string;
}

/** Maps Stripe's statuses to ours. Statuses of an incomplete checkout are absent. */
const statuses: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ['active', 'active'],
  ['canceled', 'cancelled'],
  ['past_due', 'past_due'],
  ['paused', 'expired'],
  ['trialing', 'trialing'],
  ['unpaid', 'expired'],
] satisfies [Stripe.Subscription.Status, SubscriptionStatus][]);

const kinds: readonly string[] = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
] satisfies Stripe.Event['type'][];

export class SubscriptionProvider {
  readonly #settings: PaymentSettings;

  constructor(settings: PaymentSettings) {
    this.#settings = settings;
  }

  /** Idempotent: returns the same checkout for the same subscription. Never call it inside a transaction. */
  async open({ subscriptionId, licenseId, trialDays, returnUrl }: SubscriptionRequest): Promise<Checkout> {
    const { price } = this.#settings;
    const metadata = { subscription_id: subscriptionId, license_id: licenseId };
    const stripe = await this.#stripe();
    const { id, url } = await stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        client_reference_id: subscriptionId,
        metadata,
        subscription_data: { metadata, ...(trialDays > 0 && { trial_period_days: trialDays }) },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: price.currency.toLowerCase(),
              unit_amount: minorOf(price.amount, price.currency) ?? 0,
              recurring: { interval: 'month' },
              product_data: { name: 'Webstore' },
            },
          },
        ],
        success_url: returnUrl,
        cancel_url: returnUrl,
      },
      { idempotencyKey: `subscription ${subscriptionId}` },
    );
    if (url === null) throw new Error('Stripe has opened a checkout without an address');
    return { reference: id, url };
  }

  /**
   * Cancels what `reference` names: a subscription ends with its period, and an open checkout expires at once. If that
   * checkout has already created a subscription, the subscription is cancelled and refunded.
   */
  async cancel(reference: string): Promise<void> {
    const stripe = await this.#stripe();
    if (!reference.startsWith('cs_')) {
      await stripe.subscriptions.update(reference, { cancel_at_period_end: true });
      return;
    }
    const { status, subscription } = await stripe.checkout.sessions.retrieve(reference);
    const made = idOf(subscription);
    if (status === 'open') await stripe.checkout.sessions.expire(reference);
    else if (made !== null) await this.undo(made);
  }

  /** Cancels a subscription at once and refunds its last payment. Idempotent. */
  async undo(reference: string): Promise<void> {
    const stripe = await this.#stripe();
    const { status, latest_invoice } = await stripe.subscriptions.retrieve(reference);
    if (status !== 'canceled') await stripe.subscriptions.cancel(reference);
    const invoice = idOf(latest_invoice);
    if (invoice === null) return;
    const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid' });
    for (const { payment } of data) {
      const intent = idOf(payment.payment_intent);
      if (intent !== null) await refundOnce(stripe, intent);
    }
  }

  /** Returns the callback's event; null if it does not concern one of our subscriptions. */
  async read(callback: Callback): Promise<SubscriptionNews | null> {
    return newsIn(await stripeEvent(callback, this.#settings.account?.webhookSecret ?? ''));
  }

  async #stripe(): Promise<Stripe> {
    const { account, stripeUrl } = this.#settings;
    if (account === undefined) throw new Error('the platform has no account at Stripe');
    return stripeAt(stripeUrl, account.secretKey);
  }
}

async function refundOnce(stripe: Stripe, payment_intent: string): Promise<void> {
  try {
    await stripe.refunds.create({ payment_intent }, { idempotencyKey: `undo ${payment_intent}` });
  } catch (error) {
    const { StripeError } = (await loadStripe()).errors;
    if (!(error instanceof StripeError) || error.code !== 'charge_already_refunded') throw error;
  }
}

/** Ignores payloads that are not Stripe events about subscriptions. */
function newsIn({ id, type, created, data }: Stripe.Event): SubscriptionNews | null {
  if (!kinds.includes(type)) return null;
  const subject = fieldsOf(fieldsOf(data)['object']);
  const [eventId, reference, at] = [textOf(id), textOf(subject['id']), momentOf(created)];
  const subscriptionId = textOf(fieldsOf(subject['metadata'])['subscription_id']);
  const status = textOf(subject['status']) ?? '';
  const reported = statuses.get(status);
  if (
    eventId === null ||
    reference === null ||
    at === null ||
    subscriptionId === null ||
    reported === undefined
  )
    return null;
  const cancelAt = momentOf(subject['cancel_at']);
  const trialEnd = status === 'trialing' ? momentOf(subject['trial_end']) : null;
  const isEnding = cancelAt !== null && (reported === 'active' || reported === 'trialing');
  return {
    eventId,
    subscriptionId,
    reference,
    status: isEnding ? 'cancelled' : reported,
    endsAt: momentOf(subject['ended_at']) ?? cancelAt ?? trialEnd,
    at,
  };
}
