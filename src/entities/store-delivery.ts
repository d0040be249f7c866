// The delivery of a purchased unit to a player on one game instance, or its revocation.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export const deliveryStatuses = [
  'waiting',
  'waiting_for_player',
  'sent',
  'delivered',
  'failed',
  'uncertain',
  'expired',
  'cancelled',
] as const satisfies components['schemas']['StoreDeliveryStatus'][];

export const StoreDeliverySchema = defineEntity({
  name: 'StoreDelivery',
  tableName: 'store_delivery',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    orderId: p.uuid(),
    lineId: p.uuid(),
    instanceId: p.uuid().nullable(),
    instanceName: p.text(),
    steamId: p.text(),
    kind: p.enum(['delivery', 'revocation'] as const),
    unit: p.integer(),
    status: p.enum(deliveryStatuses).default('waiting'),
    attemptCount: p.integer().default(0),
    nextAttemptAt: p.datetime().nullable().defaultRaw('now()'),
    commandId: p.uuid().nullable(),
    detail: p.text().nullable(),
    errorCode: p.text().nullable(),
    wipeId: p.uuid().nullable(),
    resendOf: p.uuid().nullable(),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
  },
});
export class StoreDelivery extends StoreDeliverySchema.class {}
StoreDeliverySchema.setClass(StoreDelivery);
