// Operations of the area `auth`.
import type { Ctx } from '../context.ts';
import { WithCookie, type Cookie } from '../contract/replies.ts';
import type { Schemas } from '../platform-contract/types.ts';
import { accessTokenSeconds } from '../services/auth/access-tokens.ts';
import type { SessionRow } from '../services/auth/own-sessions.ts';
import type { FactorSetup } from '../services/auth/second-factor.ts';
import { type Account, type OpenSession, type SwitchedSession } from '../services/auth/index.ts';
import { refreshTokenSeconds } from '../services/auth/refresh-tokens.ts';
import type { SignInOutcome } from '../services/auth/sign-in.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const auth = {
  createFirstUser: async (ctx, { body }) => viewSession(await ctx.services.auth.createFirstUser(ctx, body)),
  signIn: async (ctx, { body }) => viewSignIn(await ctx.services.signIn.withPassword(ctx, body)),
  signInWithTotp: async (ctx, { body }) => viewSession(await ctx.services.signIn.withCode(ctx, body)),
  refreshSession: async (ctx, { body }) => viewSession(await ctx.services.auth.refresh(ctx, body)),
  startBrowserSession: async (ctx, { body }) =>
    viewBrowserSession(await ctx.services.auth.startInBrowser(ctx, body)),
  refreshBrowserSession: async (ctx, { cookies }) =>
    viewBrowserSession(await ctx.services.auth.continueInBrowser(ctx, cookies?.gantry_session)),
  endBrowserSession: async (ctx, { cookies }) => {
    await ctx.services.auth.signOut({ refresh_token: cookies?.gantry_session ?? '' });
    return new WithCookie(undefined, sessionCookie(null));
  },
  signOut: async (ctx, { body }) => ctx.services.auth.signOut(body),
  switchLicense: async (ctx, { body }) => viewSwitch(await ctx.services.auth.switchLicense(ctx, body)),
  stepUpSession: async (ctx, { body }) => viewStepUp(await ctx.services.stepUps.confirm(ctx, body)),
  getCurrentUser: async (ctx) =>
    viewCurrentUser(
      ctx,
      await ctx.services.auth.account(ctx),
      await ctx.services.stepUps.confirmedUntil(ctx.user),
    ),
  changePassword: async (ctx, { body }) => ctx.services.passwordChanges.change(ctx, body),
  requestPasswordReset: async (ctx, { body }) => ctx.services.passwordChanges.askForReset(body),
  resetPassword: async (ctx, { body }) => ctx.services.passwordChanges.reset(body),
  setUpTotp: async (ctx) => viewTotpSetup(await ctx.services.secondFactor.setUp(ctx)),
  enableTotp: async (ctx, { body }) => ({
    recovery_codes: await ctx.services.secondFactor.turnOn(ctx, body),
  }),
  disableTotp: async (ctx, { body }) => ctx.services.secondFactor.turnOff(ctx, body),
  listSessions: async (ctx, { query }) =>
    viewPage(await ctx.services.ownSessions.list(ctx, query), (session) => viewUserSession(ctx, session)),
  revokeSession: async (ctx, { path }) => ctx.services.ownSessions.end(ctx, path.session_id),
  revokeOtherSessions: async (ctx) => ctx.services.ownSessions.endOthers(ctx),
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

function viewBrowserSession({
  accessToken,
  refreshToken,
  licenseId,
}: OpenSession): WithCookie<Schemas['BrowserSession']> {
  return new WithCookie(
    {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: accessTokenSeconds,
      license_id: licenseId,
    },
    sessionCookie(refreshToken),
  );
}

/** Sent only to the operations on it. */
function sessionCookie(value: string | null): Cookie {
  const path = '/auth/browser-session';
  return { name: 'gantry_session', value, path, maxAgeSeconds: refreshTokenSeconds };
}

function viewSwitch({ accessToken, expiresAt, licenseId }: SwitchedSession): Schemas['LicenseSwitchResult'] {
  const expiresIn = Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 1000));
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn, license_id: licenseId };
}

const viewStepUp = (until: Date): Schemas['StepUpResult'] => ({ stepped_up_until: until.toISOString() });

function viewSignIn({ session, challenge }: SignInOutcome): Schemas['SignInResult'] {
  return {
    status: session === null ? 'totp_required' : 'signed_in',
    session: session && viewSession(session),
    challenge: challenge && { token: challenge.token, expires_at: challenge.expiresAt.toISOString() },
  };
}

function viewTotpSetup({ secret, uri, image }: FactorSetup): Schemas['TotpSetup'] {
  return { secret, otpauth_uri: uri, qr_code: image };
}

function viewUserSession({ user }: Ctx, session: SessionRow): Schemas['UserSession'] {
  return {
    id: session.id,
    created_at: session.created_at,
    last_used_at: session.last_used_at,
    source: session.source,
    user_agent: session.user_agent,
    license_id: session.working_license_id,
    is_current: session.id === user.sessionId,
  };
}

function viewCurrentUser(
  { user }: Ctx,
  { places, isSecondFactorOn }: Account,
  steppedUpUntil: string | null,
): Schemas['CurrentUser'] {
  return {
    id: user.userId,
    email: user.email,
    is_super_admin: user.isSuperAdmin,
    is_second_factor_on: isSecondFactorOn,
    stepped_up_until: steppedUpUntil,
    license_id: user.license?.id ?? null,
    role: user.license?.role ?? null,
    permissions: { ...user.license?.permissions },
    licenses: places.map(({ license_id, name, role, status }) => ({ license_id, name, role, status })),
  };
}
