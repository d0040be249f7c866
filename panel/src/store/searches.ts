// Filters of the store's lists and of its chart, as their addresses have them.
import * as v from 'valibot';
import type { Schemas } from '../api/operations.ts';
import { anyOf, id, oneOf, text, textOr, valueOr } from '../shared/address-values.ts';

export const orderStatuses = [
  'pending',
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
  'failed',
  'expired',
] as const satisfies readonly Schemas['StoreOrderStatus'][];

export const deliveryStatuses = [
  'waiting',
  'waiting_for_player',
  'sent',
  'delivered',
  'failed',
  'uncertain',
  'expired',
  'cancelled',
] as const satisfies readonly Schemas['StoreDeliveryStatus'][];

export const allOrders = { player: '', status: '', item: '', from: '', to: '' } as const;

const day = valueOr(v.pipe(v.string(), v.regex(/^(\d{4}-\d{2}-\d{2})?$/)), '');

export const orderSearch = v.object({
  player: text,
  status: anyOf(orderStatuses),
  item: id,
  from: day,
  to: day,
});

export type OrderSearch = v.InferOutput<typeof orderSearch>;

export const allDeliveries = { status: '', instance: '', delivery: '' } as const;

export const deliverySearch = v.object({
  status: anyOf(deliveryStatuses),
  instance: id,
  /** The delivery whose details are open. */
  delivery: id,
});

export const allItems = { search: '', category: '', sort: 'position' } as const;

export const itemSearch = v.object({
  search: text,
  category: text,
  sort: textOr('position'),
});

export const defaultRevenue = { days: 30, tests: false, view: 'chart' } as const;

export const revenueSearch = v.object({
  days: oneOf([7, 30, 90, 365], 30),
  tests: valueOr(v.boolean(), false),
  view: oneOf(['chart', 'table'], 'chart'),
});

export type RevenueSearch = v.InferOutput<typeof revenueSearch>;

export type DeliverySearch = v.InferOutput<typeof deliverySearch>;

export type ItemSearch = v.InferOutput<typeof itemSearch>;
