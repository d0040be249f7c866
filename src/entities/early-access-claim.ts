// One early-access signup request of an address, and its confirmation link.
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
    /** When its link expires. */
    expiresAt: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class EarlyAccessClaim extends EarlyAccessClaimSchema.class {}
EarlyAccessClaimSchema.setClass(EarlyAccessClaim);
