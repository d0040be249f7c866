// What the platform's own account at Stripe does for subscriptions of licenses to the webstore.
import type Stripe from 'stripe';
import { minorOf } from './money.ts';
import type { Callback, Checkout } from './provider.ts';
import type { PaymentSettings } from './settings.ts';
import { stripeAt, stripeEvent } from './stripe.ts';

export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired';

/** What Stripe tells of a subscription. */
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

/** Statuses at Stripe that say something of ours; those of a checkout that was not completed say nothing. */
const statuses: Readonly<Partial<Record<Stripe.Subscription.Status, SubscriptionStatus>>> = {
  active: 'active',
  canceled: 'cancelled',
  past_due: 'past_due',
  paused: 'expired',
  trialing: 'trialing',
  unpaid: 'expired',
};

export class SubscriptionProvider {
  readonly #settings: PaymentSettings;

  constructor(settings: PaymentSettings) {
    this.#settings = settings;
  }

  /** The same checkout for the same subscription, however often it is asked. Never called inside a transaction. */
  async open({ subscriptionId, licenseId, trialDays, returnUrl }: SubscriptionRequest): Promise<Checkout> {
    const { price } = this.#settings;
    const metadata = { subscription_id: subscriptionId, license_id: licenseId };
    const { id, url } = await this.#stripe().checkout.sessions.create(
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

  /** What was never confirmed can not be any more; what was ends with its period. */
  async cancel(reference: string): Promise<void> {
    const stripe = this.#stripe();
    if (reference.startsWith('cs_')) await stripe.checkout.sessions.expire(reference);
    else await stripe.subscriptions.update(reference, { cancel_at_period_end: true });
  }

  /** What the callback tells; null for what is about no subscription of ours. */
  read(callback: Callback): SubscriptionNews | null {
    return newsIn(stripeEvent(callback, this.#settings.account?.webhookSecret ?? ''));
  }

  #stripe(): Stripe {
    const { account, stripeUrl } = this.#settings;
    if (account === undefined) throw new Error('the platform has no account at Stripe');
    return stripeAt(stripeUrl, account.secretKey);
  }
}

function newsIn(event: Stripe.Event): SubscriptionNews | null {
  if (
    event.type !== 'customer.subscription.created' &&
    event.type !== 'customer.subscription.updated' &&
    event.type !== 'customer.subscription.deleted'
  )
    return null;
  const { id: reference, metadata, status, cancel_at, ended_at, trial_end } = event.data.object;
  const subscriptionId = metadata['subscription_id'];
  const told = statuses[status];
  if (subscriptionId === undefined || told === undefined) return null;
  const endsAt = ended_at ?? cancel_at ?? (status === 'trialing' ? trial_end : null);
  const isEnding = cancel_at !== null && (told === 'active' || told === 'trialing');
  return {
    eventId: event.id,
    subscriptionId,
    reference,
    status: isEnding ? 'cancelled' : told,
    endsAt: endsAt === null ? null : new Date(endsAt * 1000),
    at: new Date(event.created * 1000),
  };
}
