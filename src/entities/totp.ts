// A user's second factor: its sealed secret, whether it is in force, and the step of the last code that was taken.
import { defineEntity, p } from '@mikro-orm/core';

export const TotpSchema = defineEntity({
  name: 'Totp',
  tableName: 'totp',
  properties: {
    userId: p.uuid().primary(),
    sealedSecret: p.blob(),
    confirmedAt: p.datetime().nullable(),
    lastUsedStep: p.integer().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Totp extends TotpSchema.class {}
TotpSchema.setClass(Totp);
