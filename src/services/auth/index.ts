// Sessions: their rotating refresh tokens, and the license that each session works in.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { attributeToUser } from '../../database/attribution.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { queriesOf } from '../../database/transactions.ts';
import { RefreshToken, SetupToken, UserAccount, UserSession } from '../../entities/index.ts';
import { DomainError, unauthorized } from '../../errors.ts';
import { createSecret, hashSecret } from '../../secrets/random-secrets.ts';
import type { AccessChanges } from './access-changes.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Passwords } from './passwords.ts';
import { chosenLicense, lastLicense, placeIn, placesOf, defaultLicense, type Place } from './memberships.ts';
import { refreshTokenEnd, successorToReplace } from './refresh-tokens.ts';

/** Longer ones are cut: the header may have kilobytes. */
const maxUserAgentLength = 256;

/** The tokens of a session. */
export interface OpenSession {
  accessToken: string;
  refreshToken: string;
  licenseId: string | null;
}

/** An access token for another license; the session keeps its refresh token. */
export interface SwitchedSession {
  accessToken: string;
  expiresAt: Date;
  licenseId: string;
}

export interface Account {
  /** Every license that the user belongs to. */
  places: Place[];
  isSecondFactorOn: boolean;
}

export class Sessions {
  readonly #platform: PlatformScope;
  readonly #passwords: Passwords;
  readonly #tokens: AccessTokens;
  readonly #changes: AccessChanges;

  constructor(platform: PlatformScope, passwords: Passwords, tokens: AccessTokens, changes: AccessChanges) {
    this.#platform = platform;
    this.#passwords = passwords;
    this.#tokens = tokens;
    this.#changes = changes;
  }

  /** Creates the first user as super admin, with the setup token that the server printed. */
  async createFirstUser(ctx: Ctx, input: Schemas['FirstUserCreate']): Promise<OpenSession> {
    await this.#platform.read('sign-in', async (queries) => {
      const { is_set_up, is_valid } = await queries
        .selectNoFrom((eb) => [
          eb
            .exists(eb.selectFrom('user_account').select('id').where('sandbox_license_id', 'is', null))
            .as('is_set_up'),
          eb
            .exists(
              eb
                .selectFrom('setup_token')
                .select('token_hash')
                .where('token_hash', '=', hashSecret(input.setup_token)),
            )
            .as('is_valid'),
        ])
        .executeTakeFirstOrThrow();
      if (is_set_up === true) throw alreadySetUp();
      if (is_valid !== true) throw invalidSetupToken();
    });
    const passwordHash = await this.#passwords.hashChosen({
      password: input.password,
      email: input.email,
      pointer: '/password',
    });
    return this.#platform.transact('sign-in', async (em) => {
      await em.execute('lock table user_account in share row exclusive mode');
      if ((await em.count(UserAccount, { sandboxLicenseId: null })) > 0) throw alreadySetUp();
      const token = await em.findOne(SetupToken, {
        tokenHash: hashSecret(input.setup_token),
        expiresAt: { $gt: new Date() },
      });
      if (token === null) throw invalidSetupToken();
      const user = em.create(UserAccount, {
        email: input.email.toLowerCase(),
        passwordHash,
        isSuperAdmin: true,
      });
      await em.nativeDelete(SetupToken, {});
      return this.open(em, ctx, user, null);
    });
  }

  /**
   * Exchanges a refresh token for new tokens. A token that was used before ends its session, unless the first response
   * may have been lost: a client that resends the token within `repeatableMs`, before its successor was used, gets
   * another successor.
   */
  async refresh(ctx: Ctx, input: Schemas['RefreshToken']): Promise<OpenSession> {
    return this.#exchange(ctx, input, { isInCookie: false });
  }

  /** Exchanges a refresh token, as `refresh` does, for one that the browser keeps in a cookie. */
  async startInBrowser(ctx: Ctx, input: Schemas['RefreshToken']): Promise<OpenSession> {
    return this.#exchange(ctx, input, { isInCookie: true });
  }

  /**
   * Opens the session of a cookie again and extends its token. The token stays the same: tabs that share the cookie may
   * do this at the same time, and no response can be lost.
   */
  async continueInBrowser(ctx: Ctx, cookie: string | undefined): Promise<OpenSession> {
    if (cookie === undefined) throw invalidRefreshToken();
    const outcome = await this.#platform.transact('sign-in', async (em) => {
      const token = await em.findOne(RefreshToken, { tokenHash: hashSecret(cookie), isInCookie: true });
      if (token === null) return undefined;
      const session = await lockedSession(em, token.sessionId);
      if (session.endedAt || token.usedAt || token.expiresAt < new Date()) return undefined;
      const user = await userOf(em, ctx, session);
      if (user === undefined) return undefined;
      token.expiresAt = refreshTokenEnd();
      return { ...(await this.#accessOf(em, user, session)), refreshToken: cookie };
    });
    if (outcome === undefined) throw invalidRefreshToken();
    return outcome;
  }

  async #exchange(
    ctx: Ctx,
    { refresh_token }: Schemas['RefreshToken'],
    successor: { isInCookie: boolean },
  ): Promise<OpenSession> {
    const tokenHash = hashSecret(refresh_token);
    const outcome = await this.#platform.transact('sign-in', async (em) => {
      const known = await em.findOne(RefreshToken, tokenHash);
      if (known === null || known.isInCookie) return undefined;
      const session = await lockedSession(em, known.sessionId);
      const token = await em.findOneOrFail(RefreshToken, tokenHash, { refresh: true });
      if (session.endedAt || token.expiresAt < new Date()) return undefined;
      const replaced = await successorToReplace(em, token);
      if (token.usedAt && replaced === undefined) {
        session.endedAt = new Date();
        this.#changes.announce({ session_id: session.id });
        return undefined;
      }
      const user = await userOf(em, ctx, session);
      if (user === undefined) return undefined;
      token.usedAt ??= new Date();
      if (replaced !== undefined) replaced.usedAt = new Date();
      return this.#renew(em, user, session, { predecessor: token, ...successor });
    });
    if (outcome === undefined) throw invalidRefreshToken();
    return outcome;
  }

  /** Ends the session of a refresh token, in a cookie or not. An unknown token is not an error. */
  async signOut({ refresh_token }: Schemas['RefreshToken']): Promise<void> {
    await this.#platform.transact('sign-in', async (em) => {
      const token = await em.findOne(RefreshToken, hashSecret(refresh_token));
      if (token === null) return;
      const { userId } = await em.findOneOrFail(UserSession, token.sessionId);
      await attributeToUser(em, await em.findOneOrFail(UserAccount, userId));
      await em.nativeUpdate(UserSession, { id: token.sessionId, endedAt: null }, { endedAt: new Date() });
      this.#changes.announce({ session_id: token.sessionId });
    });
  }

  /**
   * Moves the caller's session to another of their licenses. An access token yields neither a refresh token nor more
   * time: the new access token expires with the one that was sent. The next refresh continues in that license.
   */
  async switchLicense(ctx: Ctx, { license_id }: Schemas['LicenseSwitch']): Promise<SwitchedSession> {
    const { userId, sessionId, accessEndsAt } = ctx.user;
    return this.#platform.transact('sign-in', async (em) => {
      const user = await em.findOneOrFail(UserAccount, userId);
      const session = await lockedSession(em, sessionId);
      if (session.endedAt) throw unauthorized();
      const licenseId = await chosenLicense(em, userId, license_id);
      session.workingLicenseId = licenseId;
      const accessToken = this.#accessToken(
        user,
        session,
        await placesOf(queriesOf(em), userId),
        accessEndsAt,
      );
      return { accessToken, expiresAt: accessEndsAt, licenseId };
    });
  }

  /** Returns the details of the caller's account that their token does not carry. */
  async account({ user: { userId } }: Ctx): Promise<Account> {
    return this.#platform.read('sign-in', async (queries) => {
      const places = await placesOf(queries, userId);
      const factor = await queries
        .selectFrom('totp')
        .select('user_id')
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst();
      return { places, isSecondFactorOn: factor !== undefined };
    });
  }

  /** Opens a session of the user, within the caller's transaction. */
  async open(em: EntityManager, ctx: Ctx, user: UserAccount, licenseId: string | null): Promise<OpenSession> {
    await em.flush();
    await attributeToUser(em, user);
    const session = em.create(UserSession, {
      userId: user.id,
      ...callerOf(ctx),
      workingLicenseId: licenseId === null ? null : await chosenLicense(em, user.id, licenseId),
    });
    return this.#renew(em, user, session, { predecessor: null, isInCookie: false });
  }

  async #renew(
    em: EntityManager,
    user: UserAccount,
    session: UserSession,
    { predecessor, isInCookie }: { predecessor: RefreshToken | null; isInCookie: boolean },
  ): Promise<OpenSession> {
    const access = await this.#accessOf(em, user, session);
    const refreshToken = createSecret('gantry_refresh_');
    const tokenHash = hashSecret(refreshToken);
    if (predecessor !== null) predecessor.successorHash = tokenHash;
    em.create(RefreshToken, { tokenHash, sessionId: session.id, expiresAt: refreshTokenEnd(), isInCookie });
    return { ...access, refreshToken };
  }

  /**
   * Issues an access token for the session's working license. That license changes only by a switch; once the user is no
   * longer a member of it, the token names no license.
   */
  async #accessOf(em: EntityManager, user: UserAccount, session: UserSession) {
    const places = await placesOf(queriesOf(em), user.id);
    session.workingLicenseId ??=
      (await lastLicense(queriesOf(em), user.id, places)) ?? defaultLicense(places);
    await em.flush();
    return {
      accessToken: this.#accessToken(user, session, places),
      licenseId: placeIn(places, session)?.license_id ?? null,
    };
  }

  #accessToken(user: UserAccount, session: UserSession, places: Place[], expiresAt?: Date): string {
    const place = placeIn(places, session);
    const claims = {
      sub: user.id,
      sid: session.id,
      license_id: place?.license_id ?? null,
      role: place?.role ?? null,
      permissions: place?.permissions ?? {},
      is_super_admin: user.isSuperAdmin,
    };
    return this.#tokens.sign(claims, expiresAt);
  }
}

/** Locks the session: one of its refresh tokens is usable at a time, so renewals are serialised. */
function lockedSession(em: EntityManager, id: string): Promise<UserSession> {
  return em.findOneOrFail(UserSession, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** The user who continues the session; undefined if the account is disabled. */
async function userOf(em: EntityManager, ctx: Ctx, session: UserSession): Promise<UserAccount | undefined> {
  const user = await em.findOneOrFail(UserAccount, session.userId);
  if (user.isDisabled) return undefined;
  await attributeToUser(em, user);
  session.lastUsedAt = new Date();
  Object.assign(session, callerOf(ctx));
  return user;
}

/** The caller, as the list of sessions shows it. */
const callerOf = ({ source, userAgent }: Ctx) => ({
  source,
  userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
});

const invalidRefreshToken = () =>
  new DomainError(
    'invalid_refresh_token',
    'The refresh token is missing, unknown, expired or used; sign in again.',
  );

const alreadySetUp = () =>
  new DomainError('already_set_up', 'This installation already has its first user; sign in instead.');

const invalidSetupToken = () =>
  new DomainError(
    'invalid_setup_token',
    'This setup link is no longer valid; restart the server for a new one.',
  );
