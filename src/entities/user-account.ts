// A user account, with which a person signs in.
import { defineEntity, p } from '@mikro-orm/core';

export const UserAccountSchema = defineEntity({
  name: 'UserAccount',
  tableName: 'user_account',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    email: p.text(),
    passwordHash: p.text().nullable(),
    isSuperAdmin: p.boolean().default(false),
    isDisabled: p.boolean().default(false),
    /** The sandbox that it was made for; null for people. */
    sandboxLicenseId: p.uuid().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class UserAccount extends UserAccountSchema.class {}
UserAccountSchema.setClass(UserAccount);
