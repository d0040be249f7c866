// A user's second factor: its encrypted secret, whether it is enabled, and the step of the last accepted code.
import { defineEntity, p } from '@mikro-orm/core';

export const TotpSchema = defineEntity({
  name: 'Totp',
  tableName: 'totp',
  properties: {
    userId: p.uuid().primary(),
    encryptedSecret: p.blob().fieldName('sealed_secret'),
    confirmedAt: p.datetime().nullable(),
    lastUsedStep: p.integer().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Totp extends TotpSchema.class {}
TotpSchema.setClass(Totp);
