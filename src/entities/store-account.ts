// The account that a license takes payments with, and those that it did before, with their secrets.
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
    /** Sealed for this license. */
    secretKey: p.blob(),
    /** The same. */
    webhookSecret: p.blob(),
    isTest: p.boolean(),
    updatedAt: p.datetime().defaultRaw('now()'),
    /** Since when only orders that were made with it are asked about. */
    retiredAt: p.datetime().nullable(),
  },
});
export class StoreAccount extends StoreAccountSchema.class {}
StoreAccountSchema.setClass(StoreAccount);
