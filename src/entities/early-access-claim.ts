// One request to sign an address up early: the place it holds for a while, and the link that makes it last.
import { defineEntity, p } from '@mikro-orm/core';

export const EarlyAccessClaimSchema = defineEntity({
  name: 'EarlyAccessClaim',
  tableName: 'early_access_claim',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    email: p.text(),
    serverCount: p.integer(),
    /** Until when it holds a place; null when it holds none. */
    placeUntil: p.datetime().nullable(),
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
