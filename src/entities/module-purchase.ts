// That a license has bought a module, and for how much; its id is the transaction's.
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
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class ModulePurchase extends ModulePurchaseSchema.class {}
ModulePurchaseSchema.setClass(ModulePurchase);
