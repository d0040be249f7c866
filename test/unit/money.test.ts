// Money: amounts as text and in minor units, settings of payments, and the state of a payment after its
// events.
import fc from 'fast-check';
import { enumOf } from '../support/contract.ts';
import { readConfig } from '../../src/config/index.ts';
import { amountOf, decimalsOf, isChargeable, minorOf, type Currency } from '../../src/payments/money.ts';
import { after, statusOf, type PaymentState } from '../../src/services/store/orders/state.ts';

const currencies = enumOf('StoreCurrency') as Currency[];

describe('amounts', () => {
  it('are the same in the smallest unit and as text, in every currency', () => {
    const minor = fc.integer({ min: 0, max: 99_999_999 });
    fc.assert(
      fc.property(fc.constantFrom(...currencies), minor, (currency, value) => {
        const text = amountOf(value, currency);
        expect(text).toMatch(/^\d{1,9}(\.\d{2,3})?$/);
        expect(minorOf(text, currency)).toBe(value);
      }),
    );
  });

  it.each([
    ['USD', '9.99', 999],
    ['USD', '0.09', 9],
    ['JPY', '999', 999],
    ['KWD', '1.230', 1230],
    ['USD', '9.9', undefined],
    ['USD', '9', undefined],
    ['JPY', '9.99', undefined],
    ['KWD', '1.23', undefined],
    ['USD', '-1.00', undefined],
    ['USD', '1.00 ', undefined],
    ['USD', '1e2', undefined],
  ] as const)('in %s %j is %s', (currency, text, minor) => {
    expect(minorOf(text, currency)).toBe(minor);
  });

  it('of three decimals can be charged only when the last digit is zero', () => {
    expect([isChargeable(0, 'USD'), isChargeable(1, 'USD'), isChargeable(1, 'JPY')]).toEqual([
      false,
      true,
      true,
    ]);
    expect([isChargeable(1995, 'KWD'), isChargeable(1990, 'KWD')]).toEqual([false, true]);
    expect(decimalsOf('KWD')).toBe(3);
  });
});

describe('a payment', () => {
  const start: PaymentState = {
    totalMinor: 100,
    isPaid: false,
    hasFailed: false,
    hasExpired: false,
    refundedMinor: 0,
    refunds: [],
    dispute: 'none',
  };
  const kinds = [
    'paid',
    'failed',
    'expired',
    'refunded',
    'refund_failed',
    'dispute_opened',
    'dispute_won',
    'dispute_lost',
  ] as const;
  const news = fc.record({
    kind: fc.constantFrom(...kinds),
    amountMinor: fc.integer({ min: 1, max: 100 }),
    occurredAt: fc.integer({ min: 0, max: 9 }).map((ms) => new Date(ms)),
    eventId: fc.uuid(),
  });

  it('has the same state for any order and repetition of its events', () => {
    fc.assert(
      fc.property(
        fc.array(news, { maxLength: 8 }).chain((events) =>
          fc.tuple(
            fc.constant(events),
            fc.shuffledSubarray([...events, ...events], {
              minLength: events.length * 2,
              maxLength: events.length * 2,
            }),
          ),
        ),
        ([events, shuffled]) => {
          const once = events.reduce(after, start);
          expect(shuffled.reduce(after, start)).toEqual(once);
        },
      ),
    );
  });

  it.each([
    ['a refund that fails', [{ total: 60 }, { failed: 60 }], 0],
    ['one of two', [{ total: 60 }, { total: 100 }, { failed: 60 }], 40],
    ['one that is repeated', [{ total: 60 }, { failed: 60 }, { total: 60 }], 60],
    [
      'one that is repeated and fails again',
      [{ total: 60 }, { failed: 60 }, { total: 60 }, { failed: 60 }],
      0,
    ],
  ])('knows the refunded amount after %s, in any order', (_, story, expected) => {
    const events = story.map(({ total, failed }: { total?: number; failed?: number }, place) => ({
      kind: total === undefined ? ('refund_failed' as const) : ('refunded' as const),
      amountMinor: total ?? failed ?? 0,
      occurredAt: new Date(place + 1),
      eventId: String(place),
    }));
    expect(events.reduce(after, start).refundedMinor).toBe(expected);
    expect(events.toReversed().reduce(after, start).refundedMinor).toBe(expected);
  });

  it('is paid only by a payment event, and never while it is fully refunded', () => {
    fc.assert(
      fc.property(fc.array(news, { maxLength: 8 }), (events) => {
        const state = events.reduce(after, start);
        const status = statusOf(state);
        if (status === 'paid' || status === 'partially_refunded') {
          expect(events.some(({ kind }) => kind === 'paid')).toBe(true);
          expect(state.refundedMinor).toBeLessThan(100);
          expect(['none', 'won']).toContain(state.dispute);
        }
      }),
    );
  });
});

describe('settings', () => {
  it('allow no purchases without payment in production, unless enabled', () => {
    expect(readConfig({}).payments.allowsSandbox).toBe(true);
    expect(readConfig({ NODE_ENV: 'production' }).payments.allowsSandbox).toBe(false);
    const events = { NODE_ENV: 'production', GANTRY_SANDBOX_PAYMENTS: 'true' };
    expect(readConfig(events).payments.allowsSandbox).toBe(true);
  });

  it.each([
    [{ GANTRY_STRIPE_SECRET_KEY: 'sk_test_1' }, 'GANTRY_STRIPE_WEBHOOK_SECRET'],
    [{ GANTRY_STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'GANTRY_STRIPE_SECRET_KEY'],
    [{ GANTRY_STRIPE_SECRET_KEY: 'sk_test_1', GANTRY_STRIPE_WEBHOOK_SECRET: ' ' }, 'GANTRY_STRIPE'],
    [{ GANTRY_STRIPE_URL: 'ftp://x' }, 'GANTRY_STRIPE_URL'],
    [{ GANTRY_SANDBOX_PAYMENTS: 'yes' }, 'GANTRY_SANDBOX_PAYMENTS'],
    [{ GANTRY_WEBSTORE_PRICE: '9.9 USD' }, 'GANTRY_WEBSTORE_PRICE must be an amount with two decimals'],
    [{ GANTRY_WEBSTORE_PRICE: 'USD 9.90' }, 'GANTRY_WEBSTORE_PRICE must be an amount with two decimals'],
    [{ GANTRY_WEBSTORE_PRICE: '-9.90 USD' }, 'GANTRY_WEBSTORE_PRICE must be an amount with two decimals'],
    [{ GANTRY_WEBSTORE_PRICE: '0.00 USD' }, 'GANTRY_WEBSTORE_PRICE must be more than nothing'],
    [
      { GANTRY_WEBSTORE_PRICE: '9.99 XYZ' },
      'GANTRY_WEBSTORE_PRICE is in XYZ, but its currency must be one of',
    ],
    [{ GANTRY_WEBSTORE_PRICE: '990.00 JPY' }, 'GANTRY_WEBSTORE_PRICE is in JPY, but its currency must be'],
    [{ GANTRY_WEBSTORE_TRIAL_DAYS: '-1' }, 'GANTRY_WEBSTORE_TRIAL_DAYS'],
  ])('%j are rejected by name', (env, name) => {
    expect(() => readConfig(env)).toThrow(name);
  });
});
