// A mailed single-use token to choose the password of an account.
import { defineEntity, p } from '@mikro-orm/core';

export const PasswordTokenSchema = defineEntity({
  name: 'PasswordToken',
  tableName: 'password_token',
  properties: {
    tokenHash: p.text().primary(),
    userId: p.uuid(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
  },
});
export class PasswordToken extends PasswordTokenSchema.class {}
PasswordTokenSchema.setClass(PasswordToken);
