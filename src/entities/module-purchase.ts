// A charge for a module: once, or for one subscription period. Its id is the transaction's.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const ModulePurchaseSchema = defineEntity({
  name: 'ModulePurchase',
  tableName: 'module_purchase',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    moduleId: p.uuid(),
    /** In hundredths of the currency. */
    amount: p.integer(),
    currency: p.text(),
    /** The buyer's e-mail address when the purchase was made. */
    purchasedBy: p.text(),
    /** The subscription and the charged period; null for a module with a one-time price. */
    subscriptionId: p.uuid().nullable(),
    periodStart: p.datetime().nullable(),
    periodEnd: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class ModulePurchase extends ModulePurchaseSchema.class {}
ModulePurchaseSchema.setClass(ModulePurchase);
