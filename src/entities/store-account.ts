// The account that a license takes payments with, and the secrets of it.
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
  },
});
export class StoreAccount extends StoreAccountSchema.class {}
StoreAccountSchema.setClass(StoreAccount);
