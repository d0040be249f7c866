// Operations of the area `webstore-orders`.
import type { Schemas } from '../platform-contract/types.ts';
import { Table, type Columns } from '../results/results.ts';
import { amountOf, currencies, moneyOf } from '../payments/money.ts';
import type { DeliveryRow } from '../services/store/deliveries/index.ts';
import {
  inWords,
  type TransactionDetailRow,
  type TransactionRow,
  type Transactions,
} from '../services/store/orders/index.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const webstoreOrders = {
  listStoreOrders: async (ctx, { query, wantsCsv }) =>
    viewTransactions(await ctx.services.storeTransactions.list(ctx, query, wantsCsv ? 'everything' : 'page')),
  getStoreOrder: async (ctx, { path }) =>
    viewDetail(await ctx.services.storeTransactions.get(ctx, path.transaction_id)),
  listStoreDeliveries: async (ctx, { query }) =>
    viewPage(await ctx.services.storeDeliveries.list(ctx, query), viewDelivery),
  getStoreDelivery: async (ctx, { path }) =>
    viewDelivery(await ctx.services.storeDeliveries.get(ctx, path.delivery_id)),
  resendStoreDelivery: async (ctx, { path }) =>
    viewDelivery(await ctx.services.storeDeliveries.resend(ctx, path.delivery_id)),
} satisfies Partial<Handlers>;

const viewTransactions = (found: Transactions) =>
  'rows' in found ? viewPage(found, viewTransaction) : new Table('transactions.csv', columns, found);

function viewTransaction(bought: TransactionRow): Schemas['StoreOrder'] {
  const { currency } = bought;
  return {
    id: bought.id,
    status: bought.status ?? 'pending',
    steam_id: bought.steam_id,
    player_name: bought.player_name,
    provider: bought.provider,
    is_test: bought.is_test,
    total: moneyOf(bought.total_minor, currency),
    refunded: moneyOf(bought.refunded_minor ?? 0, currency),
    payment_reference: bought.payment_reference,
    problem: bought.problem,
    lines: bought.lines.map(({ item_id, item_name, quantity, unit_minor }) => ({
      item_id,
      item_name,
      quantity,
      unit_price: moneyOf(unit_minor, currency),
    })),
    created_at: bought.created_at,
    expires_at: bought.expires_at,
    paid_at: bought.paid_at,
  };
}

function viewDetail(bought: TransactionDetailRow): Schemas['StoreOrderDetail'] {
  const { receipt, events } = bought;
  return { ...viewTransaction(bought), receipt: viewReceipt(receipt), events: events.map(viewPaymentEvent) };
}

function viewReceipt({
  receipt_email: email,
  receipt_status: status,
  receipt_at,
}: TransactionDetailRow['receipt']): Schemas['StoreReceipt'] {
  return { email, status: status ?? 'none', queued_at: receipt_at };
}

function viewPaymentEvent(event: TransactionDetailRow['events'][number]): Schemas['PaymentEvent'] {
  const { amount_minor: minor, currency } = event;
  const known = currencies.find((code) => code === currency);
  return {
    event_id: event.event_id,
    kind: event.kind,
    amount: minor === null || known === undefined ? null : moneyOf(minor, known),
    outcome: event.outcome,
    received_at: event.received_at,
  };
}

function viewDelivery(delivery: DeliveryRow): Schemas['StoreDelivery'] {
  return {
    id: delivery.id,
    transaction_id: delivery.order_id,
    instance_id: delivery.instance_id,
    instance_name: delivery.instance_name,
    item_name: delivery.item_name,
    steam_id: delivery.steam_id,
    kind: delivery.kind,
    unit: delivery.unit,
    status: delivery.status ?? 'waiting',
    attempt_count: delivery.attempt_count ?? 0,
    next_attempt_at: delivery.next_attempt_at,
    command_id: delivery.command_id,
    detail: delivery.detail,
    error_code: delivery.error_code,
    wipe_id: delivery.wipe_id,
    resend_of: delivery.resend_of,
    requested_by: delivery.requested_by,
    created_at: delivery.created_at,
    expires_at: delivery.expires_at,
    finished_at: delivery.finished_at,
  };
}

const columns = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  paid_at: ({ paid_at }) => paid_at,
  status: ({ status }) => status,
  steam_id: ({ steam_id }) => steam_id,
  player_name: ({ player_name }) => player_name,
  items: ({ lines }) => inWords(lines),
  total: ({ total_minor, currency }) => amountOf(total_minor, currency),
  refunded: ({ refunded_minor, currency }) => amountOf(refunded_minor ?? 0, currency),
  currency: ({ currency }) => currency,
  provider: ({ provider }) => provider,
  is_test: ({ is_test }) => is_test,
  payment_reference: ({ payment_reference }) => payment_reference,
} satisfies Columns<TransactionRow>;
