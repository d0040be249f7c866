// A category of a store's items.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const StoreCategorySchema = defineEntity({
  name: 'StoreCategory',
  tableName: 'store_category',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    name: p.text(),
    description: p.text().nullable(),
    position: p.integer(),
    /** Incremented with each change. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class StoreCategory extends StoreCategorySchema.class {}
StoreCategorySchema.setClass(StoreCategory);
