// A refresh token, stored as its hash; reusing one whose successor is in use ends its session, unless it is in a cookie.
import { defineEntity, p } from '@mikro-orm/core';

export const RefreshTokenSchema = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_token',
  properties: {
    tokenHash: p.text().primary(),
    sessionId: p.uuid(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
    /** Whether it is in the cookie of a browser: such a token is not exchanged but used again and again. */
    isInCookie: p.boolean().default(false),
    /** The token that was last issued in exchange for it. */
    successorHash: p.text().nullable(),
  },
});
export class RefreshToken extends RefreshTokenSchema.class {}
RefreshTokenSchema.setClass(RefreshToken);
