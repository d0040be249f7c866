// Signed events of the payment provider in any form, and the tolerance of their signature time.
import fc from 'fast-check';
import Stripe from 'stripe';
import { DomainError } from '../../src/errors.ts';
import { defaultPayments } from '../../src/payments/settings.ts';
import { StripePayments } from '../../src/payments/stripe.ts';
import { SubscriptionProvider } from '../../src/payments/subscription-provider.ts';

const secret = 'whsec_of_a_test_and_nothing_else';
const payments = new StripePayments(defaultPayments.stripeUrl);
const subscriptions = new SubscriptionProvider({
  ...defaultPayments,
  account: { secretKey: 'sk_test_1', webhookSecret: secret },
});

function signed(event: object, timestamp = Math.floor(Date.now() / 1000)) {
  const payload = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { body: Buffer.from(payload), signature };
}

const types = [
  'checkout.session.completed',
  'checkout.session.expired',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'customer.subscription.updated',
  'customer.subscription.deleted',
];
const fields = [
  'id',
  'mode',
  'payment_status',
  'client_reference_id',
  'payment_intent',
  'amount_total',
  'amount_refunded',
  'currency',
  'metadata',
  'status',
  'cancel_at',
  'ended_at',
  'trial_end',
];
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom('payment', 'paid', 'active', 'canceled', 'lost', 'isk', 'usd', 1e300, -1, 1.5, 150, 'a\0b'),
  fc.record({ order_id: fc.jsonValue(), subscription_id: fc.jsonValue() }),
);
const subject = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: fields.length }),
);
const event = fc.record(
  {
    id: fc.oneof(fc.constant('evt_1'), anything),
    type: fc.constantFrom(...types),
    created: fc.oneof(fc.constant(1_700_000_000), anything),
    data: fc.oneof(fc.jsonValue(), fc.record({ object: subject }), fc.record({ object: subject })),
  },
  { requiredKeys: ['type'] },
);

const isText = (value: unknown) => value === null || (typeof value === 'string' && !value.includes('\0'));

it('becomes a storable payment event, or none', async () => {
  await fc.assert(
    fc.asyncProperty(event, async (reported) => {
      const news = await payments.read(signed(reported), secret);
      if (news === null) return;
      const { eventId, orderId, paymentReference, amountMinor, currency } = news;
      expect([eventId, orderId, paymentReference, currency].every(isText)).toBe(true);
      expect(amountMinor === null || Number.isSafeInteger(amountMinor)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it('becomes a storable subscription event, or none', async () => {
  await fc.assert(
    fc.asyncProperty(event, async (reported) => {
      const news = await subscriptions.read(signed(reported));
      if (news === null) return;
      expect([news.eventId, news.subscriptionId, news.reference].every(isText)).toBe(true);
      for (const moment of [news.at, news.endsAt])
        expect(moment === null || moment.getUTCFullYear() < 10_000).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it.each([-301, 301, 4_000])('is rejected when it was signed %i seconds from now', async (seconds) => {
  const callback = signed({ id: 'evt_1', type: 'x' }, Math.floor(Date.now() / 1000) + seconds);
  await expect(payments.read(callback, secret)).rejects.toThrow(DomainError);
});

it.each([-290, 0, 290])('is accepted when it was signed %i seconds from now', async (seconds) => {
  const callback = signed({ id: 'evt_1', type: 'x' }, Math.floor(Date.now() / 1000) + seconds);
  expect(await payments.read(callback, secret)).toBeNull();
});
