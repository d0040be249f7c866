// A license's current and former payment accounts, with their secrets.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const StoreAccountSchema = defineEntity({
  name: 'StoreAccount',
  tableName: 'store_account',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    provider: p.enum(['stripe'] as const),
    /** Encrypted, bound to this license. */
    secretKey: p.blob(),
    /** Encrypted, bound to this license. */
    webhookSecret: p.blob(),
    isTest: p.boolean(),
    updatedAt: p.datetime().defaultRaw('now()'),
    /** Since when it is used only to query orders that were made with it. */
    retiredAt: p.datetime().nullable(),
  },
});
export class StoreAccount extends StoreAccountSchema.class {}
StoreAccountSchema.setClass(StoreAccount);
