// A charge for a module: once, or for one period of a subscription. Its id is the transaction's.
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
    /** E-mail address of the buyer at the time. */
    purchasedBy: p.text(),
    /** With the period that it pays for; null for a module that is paid once. */
    subscriptionId: p.uuid().nullable(),
    periodStart: p.datetime().nullable(),
    periodEnd: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class ModulePurchase extends ModulePurchaseSchema.class {}
ModulePurchaseSchema.setClass(ModulePurchase);
