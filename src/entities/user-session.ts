// One sign-in of a user: the family of its refresh tokens and the license it works in.
import { defineEntity, p } from '@mikro-orm/core';

export const UserSessionSchema = defineEntity({
  name: 'UserSession',
  tableName: 'user_session',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    userId: p.uuid(),
    workingLicenseId: p.uuid().nullable(),
    /** Address that last used the session. */
    source: p.text().nullable(),
    /** The program that last used the session, as it calls itself. */
    userAgent: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    lastUsedAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().nullable(),
    /** Until when the user's confirmation of their identity (step-up) is valid; see services/auth/step-ups.ts. */
    steppedUpUntil: p.datetime().nullable(),
  },
});
export class UserSession extends UserSessionSchema.class {}
UserSessionSchema.setClass(UserSession);
