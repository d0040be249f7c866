// A store order: its total, its payment state, its lines, and the payment provider's events.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { paymentProviders } from './store-config.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

type Schemas = components['schemas'];

export const orderStatuses = [
  'pending',
  'paid',
  'failed',
  'expired',
  'partially_refunded',
  'refunded',
  'disputed',
] as const satisfies Schemas['StoreOrderStatus'][];

export const receiptStatuses = ['waiting', 'queued', 'withheld'] as const;

export const disputeStates = ['none', 'open', 'won', 'lost'] as const;

export const StoreOrderSchema = defineEntity({
  name: 'StoreOrder',
  tableName: 'store_order',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    steamId: p.text(),
    playerName: p.text().nullable(),
    provider: p.enum(paymentProviders),
    /** The payment account. */
    accountId: p.uuid().nullable(),
    /** Keyed hash of the network that ordered, which shares limited stock between sources. The database clears it once the order ends. */
    sourceHash: p.text().nullable(),
    isTest: p.boolean(),
    status: p.enum(orderStatuses).default('pending'),
    currency: p.text().$type<Schemas['StoreCurrency']>(),
    /** In the smallest unit of the currency, like all amounts here. */
    totalMinor: p.bigint('number'),
    refundedMinor: p.bigint('number').default(0),
    /** The refunds that make up the refunded amount. */
    refunds: p.json<{ at: number; amountMinor: number; failureId?: string }[]>().defaultRaw(`'[]'`),
    dispute: p.enum(disputeStates).default('none'),
    hasFailed: p.boolean().default(false),
    hasExpired: p.boolean().default(false),
    /** How often the provider has failed to open its checkout. */
    checkoutAttempt: p.integer().default(0),
    checkoutReference: p.text().nullable(),
    checkoutUrl: p.text().nullable(),
    paymentReference: p.text().nullable(),
    /** When the provider is next queried for the payment state; null if it is not. */
    nextAskAt: p.datetime().nullable(),
    /** A payment problem that members of the license must know. */
    problem: p.text().nullable(),
    /** When the Owners were notified of the problem. */
    warnedAt: p.datetime().nullable(),
    /** The buyer's address for the receipt; deleted after a limited time. */
    receiptEmail: p.text().nullable(),
    receiptStatus: p.enum(receiptStatuses).nullable(),
    /** When the receipt was handed to the mail queue. */
    receiptAt: p.datetime().nullable(),
    /** The refunded amount that the buyer was notified of, and the number of those messages. */
    refundMailedMinor: p.bigint('number').default(0),
    refundMailCount: p.smallint().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    paidAt: p.datetime().nullable(),
  },
});
export class StoreOrder extends StoreOrderSchema.class {}
StoreOrderSchema.setClass(StoreOrder);

/** Units of an item, with the item's data at the time of purchase. */
export const StoreOrderLineSchema = defineEntity({
  name: 'StoreOrderLine',
  tableName: 'store_order_line',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    orderId: p.uuid(),
    itemId: p.uuid().nullable(),
    itemName: p.text(),
    unitMinor: p.bigint('number'),
    quantity: p.integer(),
    instanceIds: p.json<string[]>(),
    deliveryCommands: p.json<string[]>(),
    revokeCommands: p.json<string[]>(),
    needsOnlinePlayer: p.boolean(),
    repeatsAfterWipe: p.boolean(),
    deliveryDays: p.integer(),
  },
});
export class StoreOrderLine extends StoreOrderLineSchema.class {}
StoreOrderLineSchema.setClass(StoreOrderLine);

/** An event of a payment provider, stored once. */
export const StorePaymentEventSchema = defineEntity({
  name: 'StorePaymentEvent',
  tableName: 'store_payment_event',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    orderId: p.uuid().nullable(),
    provider: p.enum(paymentProviders),
    eventId: p.text(),
    kind: p.text().$type<Schemas['PaymentEvent']['kind']>(),
    amountMinor: p.bigint('number').nullable(),
    currency: p.text().nullable(),
    paymentReference: p.text().nullable(),
    /** When it happened at the provider. */
    occurredAt: p.datetime().nullable(),
    outcome: p.text().$type<Schemas['PaymentEvent']['outcome']>(),
    receivedAt: p.datetime().defaultRaw('now()'),
  },
});
export class StorePaymentEvent extends StorePaymentEventSchema.class {}
StorePaymentEventSchema.setClass(StorePaymentEvent);
