// The text of receipts: exact amounts in every currency, and names as plain text.
import fc from 'fast-check';
import { currencies, decimalsOf, minorOf } from '../../src/payments/money.ts';
import { templates } from '../../src/mail/templates.ts';
import { render } from '../../src/mail/template.ts';
import {
  receiptValues,
  refundValues,
  type PaidOrder,
} from '../../src/services/store/checkout/receipt-text.ts';

const page = 'https://panel.example.com/store/rusty?order=0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01';
const paidOrder = (values: Partial<PaidOrder> = {}): PaidOrder => ({
  id: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01',
  store: 'Rusty Islands',
  steam_id: '76561197960287930',
  player_name: 'Aster',
  provider: 'stripe',
  is_test: false,
  currency: 'USD',
  total_minor: 999,
  refunded_minor: 0,
  refund_mailed_minor: 0,
  payment_reference: 'pi_1',
  created_at: '2026-11-21T23:59:59.000Z',
  paid_at: '2026-11-22T00:00:01.000Z',
  ...values,
});

const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
const someLine = fc.record({
  item_name: name,
  quantity: fc.integer({ min: 1, max: 100 }),
  unit_minor: fc.integer({ min: 1, max: 999_999 }),
});

it('the lines add up to the total, with the decimals of the currency', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...currencies),
      fc.array(someLine, { minLength: 1, maxLength: 20 }),
      (currency, lines) => {
        const total_minor = lines.reduce((sum, { quantity, unit_minor }) => sum + quantity * unit_minor, 0);
        const { items, total } = receiptValues(paidOrder({ currency, total_minor }), lines, page);
        const sums = items.split('\n').map((line) => line.slice(line.lastIndexOf(': ') + 2));
        const minor = (text: string) => minorOf(text.replace(` ${currency}`, ''), currency) ?? NaN;
        expect(sums).toHaveLength(lines.length);
        expect(sums.map(minor)).toEqual(lines.map(({ quantity, unit_minor }) => quantity * unit_minor));
        expect(minor(total)).toBe(sums.reduce((sum, text) => sum + minor(text), 0));
        expect((total.split(' ')[0] ?? '').split('.')[1]?.length ?? 0).toBe(decimalsOf(currency));
      },
    ),
  );
});

it('no name creates a line, a link or markup', () => {
  const hostile = fc.oneof(
    name,
    fc.constantFrom(
      'https://evil.example',
      'a@b.example',
      '<b>x</b>',
      'x\nTotal: 0.00 USD',
      'evil\u2028.example',
    ),
  );
  fc.assert(
    fc.property(hostile, hostile, hostile, (store, player_name, item_name) => {
      const order = paidOrder({ store, player_name });
      const lines = [{ item_name, quantity: 1, unit_minor: 999 }];
      const { text, subject, html } = render(templates.receipt, receiptValues(order, lines, page), '');
      expect(text.split('\n').filter((line) => line.startsWith('Total: '))).toEqual(['Total: 9.99 USD']);
      expect(subject).not.toMatch(/[\r\n]/);
      expect(text.match(/https?:\/\//g)).toEqual(['https://']);
      expect(html.match(/<a /g)).toHaveLength(1);
      expect(html).not.toContain('<b>');
      expect([text, subject].join('\n')).not.toMatch(/evil\.example|a@b/);
    }),
  );
});

it('times are in UTC, and unknown values are omitted', () => {
  const order = paidOrder({ player_name: null, payment_reference: null });
  const values = receiptValues(order, [], page);
  expect(values).toMatchObject({
    ordered: '21 November 2026 at 23:59 UTC',
    paid: '22 November 2026 at 00:00 UTC',
    player: '76561197960287930',
    payment: 'Stripe',
  });
});

it('a notice of a refund has the new amount and the total refunded', () => {
  const order = paidOrder({
    currency: 'KWD',
    total_minor: 9_990,
    refunded_minor: 9_990,
    refund_mailed_minor: 1,
  });
  expect(refundValues(order, page)).toMatchObject({
    amount: '9.989 KWD',
    refunded: '9.990 KWD',
    total: '9.990 KWD',
  });
});
