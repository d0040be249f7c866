// An event within a license, for webhooks and other subscribers.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const DomainEventSchema = defineEntity({
  name: 'DomainEvent',
  tableName: 'domain_event',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    kind: p.text(),
    subjectId: p.uuid(),
    data: p.json<Record<string, unknown>>(),
    occurredAt: p.datetime().defaultRaw('now()'),
  },
});
export class DomainEvent extends DomainEventSchema.class {}
DomainEventSchema.setClass(DomainEvent);
