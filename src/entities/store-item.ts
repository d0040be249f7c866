// A store item with its delivery commands, its requirements, and the instances that it is delivered on.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export const StoreItemSchema = defineEntity({
  name: 'StoreItem',
  tableName: 'store_item',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    categoryId: p.uuid().nullable(),
    name: p.text(),
    description: p.text().nullable(),
    imageUrl: p.text().nullable(),
    position: p.integer(),
    /** In the smallest unit of the currency. */
    priceMinor: p.bigint('number'),
    currency: p.text().$type<components['schemas']['StoreCurrency']>(),
    isEnabled: p.boolean(),
    limitPerPlayer: p.integer().nullable(),
    limitTotal: p.integer().nullable(),
    deliveryCommands: p.json<string[]>(),
    revokeCommands: p.json<string[]>(),
    needsOnlinePlayer: p.boolean(),
    repeatsAfterWipe: p.boolean(),
    deliveryDays: p.integer(),
    /** Incremented with each change. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class StoreItem extends StoreItemSchema.class {}
StoreItemSchema.setClass(StoreItem);

/** Another item that a player must own to buy this one. */
export const StoreItemRequirementSchema = defineEntity({
  name: 'StoreItemRequirement',
  tableName: 'store_item_requirement',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId(),
    itemId: p.uuid().primary(),
    requiredItemId: p.uuid().primary(),
  },
});
export class StoreItemRequirement extends StoreItemRequirementSchema.class {}
StoreItemRequirementSchema.setClass(StoreItemRequirement);

/** A game instance that it is delivered on. */
export const StoreItemInstanceSchema = defineEntity({
  name: 'StoreItemInstance',
  tableName: 'store_item_instance',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId(),
    itemId: p.uuid().primary(),
    instanceId: p.uuid().primary(),
  },
});
export class StoreItemInstance extends StoreItemInstanceSchema.class {}
StoreItemInstanceSchema.setClass(StoreItemInstance);
