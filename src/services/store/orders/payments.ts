// Applies payment events from providers to the orders of a license, with all consequences in one transaction.
import { LockMode } from '@mikro-orm/core';
import type { Schemas } from '../../../platform-contract/types.ts';
import type { EntityManager } from '../../../database/connection.ts';
import { holdLock } from '../../../database/advisory-locks.ts';
import { licenseNowIn } from '../../../database/license-clock.ts';
import { StoreOrder, StorePaymentEvent } from '../../../entities/index.ts';
import { enqueueJob } from '../../../queue/enqueue.ts';
import { amountOf, currencies } from '../../../payments/money.ts';
import type { PaymentNews, ProviderName } from '../../../payments/provider.ts';
import {
  cancelRevocations,
  makeDeliveries,
  resumeCancelled,
  reverseDeliveries,
} from '../deliveries/creation.ts';
import { holdsUnits, oversoldItems } from './oversold.ts';
import { after, isConsistent, isOwned, isReversed, statusOf, type PaymentState } from './state.ts';
import { formats } from '../../../values/formats.ts';

export type CallbackOutcome = Schemas['PaymentEventReceipt']['outcome'];

interface EventSource {
  licenseId: string;
  provider: ProviderName;
  /** The only account whose orders the event may concern; undefined if it may concern any. */
  accountId?: string;
}

/**
 * Takes the advisory lock of a payment, so that an event without a known order and the event that links them do not
 * miss each other. Lock order: payment, order, event and deliveries; any other order could deadlock.
 */
export function holdPayment(em: EntityManager, licenseId: string, reference: string): Promise<void> {
  return holdLock(em, `payment ${licenseId} ${reference}`);
}

/**
 * Applies the event within the license whose account signed it: orders of other licenses are not visible. Each event
 * counts once.
 */
export async function takeNews(
  em: EntityManager,
  { licenseId, provider, accountId }: EventSource,
  news: PaymentNews,
): Promise<CallbackOutcome> {
  if (news.paymentReference !== null) await holdPayment(em, licenseId, news.paymentReference);
  const order = await orderOf(em, provider, news);
  if (order !== null && accountId !== undefined && order.accountId !== accountId) return 'ignored';
  if (order === null && (news.orderId !== null || news.paymentReference === null)) return 'ignored';
  const [noted] = await em.execute<{ id: string }[]>(
    `insert into store_payment_event
       (provider, event_id, kind, amount_minor, currency, payment_reference, order_id, occurred_at, outcome)
     values (?, ?, ?, ?, ?, ?, ?, ?, 'unmatched') on conflict (license_id, provider, event_id) do nothing returning id`,
    [
      provider,
      news.eventId,
      news.kind,
      news.amountMinor,
      news.currency,
      news.paymentReference,
      order?.id ?? null,
      news.occurredAt ?? null,
    ],
  );
  if (noted === undefined) return 'repeated';
  if (order === null) return 'unmatched';
  const outcome = await applied(em, order, { eventRowId: noted.id, ...news });
  if (outcome === 'applied' && news.kind === 'paid') await matchEarlier(em, order);
  if (outcome === 'applied' && order.paidAt && order.receiptEmail)
    await enqueueJob(em, 'write-to-buyer', { license_id: order.licenseId, order_id: order.id });
  return outcome;
}

/** Locks the order's row, so that events of one order are applied one at a time. */
async function orderOf(
  em: EntityManager,
  provider: ProviderName,
  { orderId, paymentReference }: PaymentNews,
): Promise<StoreOrder | null> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  if (orderId !== null)
    return formats.uuid(orderId) ? em.findOne(StoreOrder, { id: orderId, provider }, lock) : null;
  if (paymentReference === null) return null;
  return em.findOne(StoreOrder, { paymentReference, provider }, lock);
}

type RecordedNews = Pick<
  PaymentNews,
  'eventId' | 'kind' | 'amountMinor' | 'currency' | 'paymentReference' | 'occurredAt'
> & {
  eventRowId: string;
};

async function applied(
  em: EntityManager,
  order: StoreOrder,
  news: RecordedNews,
): Promise<'applied' | 'refused'> {
  const outcome = isConsistent(news, order) ? 'applied' : 'refused';
  await em.nativeUpdate(StorePaymentEvent, { id: news.eventRowId }, { outcome, orderId: order.id });
  if (news.kind === 'paid' || news.kind === 'expired') order.nextAskAt = null;
  if (outcome === 'refused') {
    order.problem = `The provider's event contradicts the order: ${inWords(news)}.`;
    await em.flush();
    await enqueueJob(em, 'warn-of-payment', { license_id: order.licenseId, order_id: order.id });
    return outcome;
  }
  const hadUnits = await holdsUnits(em, order.id);
  const state = after(stateOf(order), news);
  order.paidAt ??= state.isPaid ? await licenseNowIn(em) : null;
  order.hasFailed = state.hasFailed;
  order.hasExpired = state.hasExpired;
  order.refundedMinor = state.refundedMinor;
  order.refunds = [...state.refunds];
  order.dispute = state.dispute;
  order.paymentReference ??= news.paymentReference;
  order.status = statusOf(state);
  await em.flush();
  if (state.isPaid && isOwned(order.status)) {
    if (!hadUnits) await reportOversold(em, order);
    await makeDeliveries(em, order);
    await cancelRevocations(em, order);
    await resumeCancelled(em, order);
  }
  if (isReversed(order.status)) await reverseDeliveries(em, order);
  if (news.kind === 'refund_failed') await reportFailedRefund(em, order, news);
  return outcome;
}

/** The buyer has not received the money, and only the license's account at the provider can send it again. */
async function reportFailedRefund(em: EntityManager, order: StoreOrder, news: RecordedNews): Promise<void> {
  order.problem = `A refund failed at the payment provider, so it no longer counts: ${inWords(news)}. The buyer has not got that money; refund it again, or in another way.`;
  await em.flush();
  await enqueueJob(em, 'warn-of-payment', { license_id: order.licenseId, order_id: order.id });
}

/** An expired or disputed order held no units, so others may have bought them before this order is paid. */
async function reportOversold(em: EntityManager, order: StoreOrder): Promise<void> {
  const items = await oversoldItems(em, order.id);
  if (items.length === 0) return;
  const names = items.map(({ name, sold, limit_total: limit }) => `${name} (${sold} of ${limit})`).join(', ');
  order.problem = `Others could buy its units before it counted as paid, and more is sold now than there is: ${names}. It is delivered; refund it at the payment provider to take it back.`;
  await em.flush();
  await enqueueJob(em, 'warn-of-payment', { license_id: order.licenseId, order_id: order.id });
}

/** Applies events that arrived before their payment was linked to the order. */
async function matchEarlier(em: EntityManager, order: StoreOrder): Promise<void> {
  const { paymentReference, provider } = order;
  if (!paymentReference) return;
  const waiting = await em.find(
    StorePaymentEvent,
    { provider, paymentReference, outcome: 'unmatched' },
    { orderBy: { id: 'asc' } },
  );
  for (const { id, eventId, kind, amountMinor, currency, occurredAt } of waiting)
    await applied(em, order, {
      eventRowId: id,
      eventId,
      kind,
      amountMinor: amountMinor ?? null,
      currency: currency ?? null,
      occurredAt: occurredAt ?? null,
      paymentReference,
    });
}

function inWords({ kind, amountMinor, currency, paymentReference }: RecordedNews): string {
  const known = currencies.find((code) => code === currency);
  const amount =
    amountMinor === null ? '' : `, ${known ? amountOf(amountMinor, known) : amountMinor} ${currency ?? ''}`;
  return `${kind}${amount}, payment ${paymentReference ?? 'without a name'}`;
}

function stateOf(order: StoreOrder): PaymentState {
  return {
    totalMinor: order.totalMinor,
    isPaid: order.paidAt !== null && order.paidAt !== undefined,
    hasFailed: order.hasFailed,
    hasExpired: order.hasExpired,
    refundedMinor: order.refundedMinor,
    refunds: order.refunds ?? [],
    dispute: order.dispute,
  };
}
