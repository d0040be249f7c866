// A one-time token that may create the first user.
import { defineEntity, p } from '@mikro-orm/core';

export const SetupTokenSchema = defineEntity({
  name: 'SetupToken',
  tableName: 'setup_token',
  properties: {
    tokenHash: p.text().primary(),
    expiresAt: p.datetime(),
  },
});
export class SetupToken extends SetupTokenSchema.class {}
SetupTokenSchema.setClass(SetupToken);
