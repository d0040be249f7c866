// What somebody buys in a store: what it costs, how its payment stands, its lines, and what the provider has told of it.
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
    /** With which it is paid. */
    accountId: p.uuid().nullable(),
    /** Keyed hash of the network that ordered, which shares limited stock between sources. The database clears it once the order ends. */
    sourceHash: p.text().nullable(),
    isTest: p.boolean(),
    status: p.enum(orderStatuses).default('pending'),
    currency: p.text().$type<Schemas['StoreCurrency']>(),
    /** In the smallest unit of the currency, as all amounts here. */
    totalMinor: p.bigint('number'),
    refundedMinor: p.bigint('number').default(0),
    /** What the refunded amount follows from. */
    refunds: p.json<{ at: number; amountMinor: number; failureId?: string }[]>().defaultRaw(`'[]'`),
    dispute: p.enum(disputeStates).default('none'),
    hasFailed: p.boolean().default(false),
    hasExpired: p.boolean().default(false),
    /** How often the provider has failed to open its checkout. */
    checkoutAttempt: p.integer().default(0),
    checkoutReference: p.text().nullable(),
    checkoutUrl: p.text().nullable(),
    paymentReference: p.text().nullable(),
    /** When the provider is asked how it stands, if it is. */
    nextAskAt: p.datetime().nullable(),
    /** What somebody of the license has to know of its payment. */
    problem: p.text().nullable(),
    /** When the Owners were told of that. */
    warnedAt: p.datetime().nullable(),
    /** Where the buyer wants a receipt; deleted after a time. */
    receiptEmail: p.text().nullable(),
    receiptStatus: p.enum(receiptStatuses).nullable(),
    /** When it was handed to the mail queue. */
    receiptAt: p.datetime().nullable(),
    /** How much of the refunded amount the buyer was written of, and in how many messages. */
    refundMailedMinor: p.bigint('number').default(0),
    refundMailCount: p.smallint().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    paidAt: p.datetime().nullable(),
  },
});
export class StoreOrder extends StoreOrderSchema.class {}
StoreOrderSchema.setClass(StoreOrder);

/** Units of an item, as the item was when they were bought. */
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

/** Something that a payment provider has told, once. */
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
