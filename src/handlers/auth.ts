// Operations of the area `auth`.
import type { Ctx } from '../context.ts';
import type { Schemas } from '../contract-types.ts';
import { accessTokenSeconds } from '../services/auth/access-tokens.ts';
import { refreshTokenSeconds, type OpenSession, type Place } from '../services/auth/sessions.ts';
import type { Handlers } from './handlers.ts';

export const auth = {
  createFirstUser: async (ctx, { body }) => viewSession(await ctx.services.auth.createFirstUser(ctx, body)),
  createSession: async (ctx, { body }) => viewSession(await ctx.services.auth.signIn(ctx, body)),
  refreshSession: async (ctx, { body }) => viewSession(await ctx.services.auth.refresh(ctx, body)),
  deleteSession: async (ctx, { body }) => ctx.services.auth.signOut(ctx, body),
  switchLicense: async (ctx, { body }) => viewSession(await ctx.services.auth.switchLicense(ctx, body)),
  getCurrentUser: async (ctx) => viewCurrentUser(ctx, await ctx.services.auth.places(ctx)),
} satisfies Partial<Handlers>;

function viewSession({ accessToken, refreshToken, licenseId }: OpenSession): Schemas['Session'] {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    refresh_token: refreshToken,
    refresh_expires_in: refreshTokenSeconds,
    license_id: licenseId,
  };
}

function viewCurrentUser({ user }: Ctx, places: Place[]): Schemas['CurrentUser'] {
  return {
    id: user.userId,
    email: user.email,
    is_super_admin: user.isSuperAdmin,
    license_id: user.license?.id ?? null,
    role: user.license?.role ?? null,
    permissions: { ...user.license?.permissions },
    licenses: places.map(({ license_id, name, role, status }) => ({ license_id, name, role, status })),
  };
}
