// A hosting company that sells licenses; only a hash of its API key is stored.
import { defineEntity, p } from '@mikro-orm/core';

/** The reseller of the running transaction, as SQL; null outside of one, so that policies fail closed. */
export const currentReseller = "nullif(current_setting('app.reseller_id', true), '')::uuid";

export const ResellerSchema = defineEntity({
  name: 'Reseller',
  tableName: 'reseller',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    name: p.text(),
    status: p.enum(['active', 'disabled'] as const).default('active'),
    keyIdentifier: p.text(),
    keyHash: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Reseller extends ResellerSchema.class {}
ResellerSchema.setClass(Reseller);
