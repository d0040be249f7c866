// A license's subscription: a module, or the webstore.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  tableName: 'subscription',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    kind: p.enum(['module', 'webstore'] as const),
    /** The subscribed object of that kind, for example a module's name. */
    reference: p.text(),
    status: p.enum(['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const),
    amount: p.decimal().precision(12).scale(2),
    currency: p.text(),
    period: p.enum(['month', 'year'] as const),
    startedAt: p.datetime().defaultRaw('now()'),
    endsAt: p.datetime().nullable(),
    cancelledAt: p.datetime().nullable(),
    provider: p.enum(['sandbox', 'stripe'] as const).nullable(),
    /** The provider's reference; the checkout's until the subscription is confirmed. */
    providerReference: p.text().nullable(),
    checkoutUrl: p.text().nullable(),
    confirmedAt: p.datetime().nullable(),
    /** When the latest applied event had happened at the provider. */
    toldAt: p.datetime().nullable(),
    /** The subscribed module; null for the webstore. */
    moduleId: p.uuid().nullable(),
    /** The e-mail address of the subscribing member when the subscription was made. */
    subscribedBy: p.text().nullable(),
    /** Periods of a module are counted from here, so that the 31st comes back after a shorter month. */
    anchorAt: p.datetime().nullable(),
    /** Periods charged since the anchor. */
    periodNumber: p.integer().nullable(),
    periodStart: p.datetime().nullable(),
    periodEnd: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Subscription extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(Subscription);
