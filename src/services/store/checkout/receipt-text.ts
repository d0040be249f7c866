// The text of receipts and refund notices, with exact amounts.
import { cleaned, forPlainText } from '../../../text/neutral-text.ts';
import { amountOf, type Currency } from '../../../payments/money.ts';
import type { ProviderName } from '../../../payments/provider.ts';
import type { ValuesOf } from '../../../mail/templates.ts';

export interface PaidOrder {
  id: string;
  store: string;
  steam_id: string;
  player_name: string | null;
  provider: ProviderName;
  is_test: boolean;
  currency: Currency;
  total_minor: number;
  refunded_minor: number;
  refund_mailed_minor: number;
  payment_reference: string | null;
  created_at: string;
  paid_at: string;
}

export interface PaidLine {
  item_name: string;
  quantity: number;
  unit_minor: number;
}

export function receiptValues(
  order: PaidOrder,
  lines: readonly PaidLine[],
  page: string,
): ValuesOf<'receipt'> {
  const { currency, player_name: name, steam_id: steamId } = order;
  const player = cleaned(name ?? '');
  return {
    store: order.store,
    order: order.id,
    ordered: moment(order.created_at),
    paid: moment(order.paid_at),
    player: player === '' ? steamId : `${player} (SteamID ${steamId})`,
    payment: paymentOf(order),
    items: lines.map((line) => lineInWords(line, currency)).join('\n'),
    total: inWords(order.total_minor, currency),
    page,
  };
}

export function refundValues(order: PaidOrder, page: string): ValuesOf<'refund'> {
  const { currency, refunded_minor: refunded } = order;
  return {
    store: order.store,
    order: order.id,
    amount: inWords(refunded - order.refund_mailed_minor, currency),
    refunded: inWords(refunded, currency),
    total: inWords(order.total_minor, currency),
    payment: paymentOf(order),
    page,
  };
}

const lineInWords = ({ quantity, item_name, unit_minor }: PaidLine, currency: Currency) =>
  `${quantity} × ${forPlainText(item_name)}, ${inWords(unit_minor, currency)} each: ${inWords(unit_minor * quantity, currency)}`;

const inWords = (minor: number, currency: Currency) => `${amountOf(minor, currency)} ${currency}`;

const paymentNames = { stripe: 'Stripe', sandbox: 'sandbox' } as const satisfies Record<ProviderName, string>;

function paymentOf({ provider, is_test, payment_reference }: PaidOrder): string {
  if (is_test) return `${paymentNames[provider]}, a test in which no money moves`;
  return payment_reference === null
    ? paymentNames[provider]
    : `${paymentNames[provider]}, ${forPlainText(payment_reference)}`;
}

const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const moment = (time: string) => `${written.format(new Date(time))} UTC`;
