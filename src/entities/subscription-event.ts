// An event of the platform's payment provider about a subscription, stored once.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const SubscriptionEventSchema = defineEntity({
  name: 'SubscriptionEvent',
  tableName: 'subscription_event',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    subscriptionId: p.uuid(),
    provider: p.text(),
    eventId: p.text(),
    status: p.text(),
    occurredAt: p.datetime(),
    receivedAt: p.datetime().defaultRaw('now()'),
  },
});
export class SubscriptionEvent extends SubscriptionEventSchema.class {}
SubscriptionEventSchema.setClass(SubscriptionEvent);
