// Somebody who wants to be told when the platform opens to them.
import { defineEntity, p } from '@mikro-orm/core';

export const EarlyAccessSignupSchema = defineEntity({
  name: 'EarlyAccessSignup',
  tableName: 'early_access_signup',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    email: p.text(),
    serverCount: p.integer(),
    /** When whoever reads mail to the address has confirmed it. */
    confirmedAt: p.datetime().nullable(),
    /** Since when it has a place in the Founding Admin Program. */
    foundingPlaceAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class EarlyAccessSignup extends EarlyAccessSignupSchema.class {}
EarlyAccessSignupSchema.setClass(EarlyAccessSignup);
