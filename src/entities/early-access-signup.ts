// An address to be notified when the platform opens.
import { defineEntity, p } from '@mikro-orm/core';

export const EarlyAccessSignupSchema = defineEntity({
  name: 'EarlyAccessSignup',
  tableName: 'early_access_signup',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    email: p.text(),
    serverCount: p.integer(),
    /** When a reader of the mailbox confirmed the address. */
    confirmedAt: p.datetime().nullable(),
    /** When it got a place in the Founding Admin Program. */
    foundingPlaceAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class EarlyAccessSignup extends EarlyAccessSignupSchema.class {}
EarlyAccessSignupSchema.setClass(EarlyAccessSignup);
