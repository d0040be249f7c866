// What a license pays for again and again: a module, or the webstore.
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
    /** What of that kind: a module's name, for one. */
    reference: p.text(),
    status: p.enum(['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const),
    amount: p.decimal().precision(12).scale(2),
    currency: p.text(),
    period: p.enum(['month', 'year'] as const),
    startedAt: p.datetime().defaultRaw('now()'),
    endsAt: p.datetime().nullable(),
    cancelledAt: p.datetime().nullable(),
    provider: p.enum(['sandbox', 'stripe'] as const).nullable(),
    /** What the provider calls it; before it was confirmed, the checkout. */
    providerReference: p.text().nullable(),
    checkoutUrl: p.text().nullable(),
    confirmedAt: p.datetime().nullable(),
    /** When what is known of it had happened at the provider. */
    toldAt: p.datetime().nullable(),
    /** Of a subscription to a module; null for the webstore. */
    moduleId: p.uuid().nullable(),
    /** E-mail address of the member who subscribed, at the time. */
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
