// Somebody who wants to be told when the platform opens to them.
import { defineEntity, p } from '@mikro-orm/core';

export const EarlyAccessSignupSchema = defineEntity({
  name: 'EarlyAccessSignup',
  tableName: 'early_access_signup',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    email: p.text(),
    serverCount: p.integer(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class EarlyAccessSignup extends EarlyAccessSignupSchema.class {}
EarlyAccessSignupSchema.setClass(EarlyAccessSignup);
