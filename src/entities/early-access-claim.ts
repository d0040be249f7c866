// One request to sign an address up early, and the link that confirms it.
import { defineEntity, p } from '@mikro-orm/core';

export const EarlyAccessClaimSchema = defineEntity({
  name: 'EarlyAccessClaim',
  tableName: 'early_access_claim',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    email: p.text(),
    serverCount: p.integer(),
    /** Null until the link is sent. */
    tokenHash: p.text().nullable(),
    mailedAt: p.datetime().nullable(),
    /** When its link ends. */
    expiresAt: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class EarlyAccessClaim extends EarlyAccessClaimSchema.class {}
EarlyAccessClaimSchema.setClass(EarlyAccessClaim);
