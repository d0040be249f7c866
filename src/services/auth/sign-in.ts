// Signs users in: by password, then by the second factor if they have one.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { attributeToUser } from '../../database/attribution.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { SignInChallenge, UserAccount } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import { createSecret, hashSecret } from '../../secrets/random-secrets.ts';
import type { Passwords } from './passwords.ts';
import { invalidCode, type SecondFactor } from './second-factor.ts';
import type { OpenSession, Sessions } from './index.ts';

const challengeMs = 5 * 60_000;
const maxAttempts = 5;

export interface Challenge {
  token: string;
  expiresAt: Date;
}

/** Exactly one of the two is set. */
export interface SignInOutcome {
  session: OpenSession | null;
  challenge: Challenge | null;
}

export class SignIn {
  readonly #platform: PlatformScope;
  readonly #passwords: Passwords;
  readonly #secondFactor: SecondFactor;
  readonly #sessions: Sessions;

  constructor(platform: PlatformScope, passwords: Passwords, secondFactor: SecondFactor, sessions: Sessions) {
    this.#platform = platform;
    this.#passwords = passwords;
    this.#secondFactor = secondFactor;
    this.#sessions = sessions;
  }

  /** An unknown address, a wrong password and a disabled account give the same response in the same time. */
  async withPassword(ctx: Ctx, input: Schemas['Credentials']): Promise<SignInOutcome> {
    const user = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('user_account')
        .select(['id', 'password_hash', 'is_disabled'])
        .where('email', '=', input.email.toLowerCase())
        .executeTakeFirst(),
    );
    const matches = await this.#passwords.verify(user?.password_hash, input.password);
    if (user === undefined || !matches || user.is_disabled) throw invalidCredentials();
    return this.#platform.transact('sign-in', async (em) => {
      const account = await heldAccount(em, user.id);
      // The account may have changed during the password check; a change that ended sessions must not miss this one.
      if (account.isDisabled || account.passwordHash !== user.password_hash) throw invalidCredentials();
      const licenseId = input.license_id ?? null;
      if (await this.#secondFactor.isOn(em, user.id))
        return { session: null, challenge: createChallenge(em, user.id, licenseId) };
      return { session: await this.#sessions.open(em, ctx, account, licenseId), challenge: null };
    });
  }

  /** A failed attempt counts too, so its error is thrown after the transaction has committed. */
  async withCode(ctx: Ctx, { challenge_token, code }: Schemas['SignInWithTotp']): Promise<OpenSession> {
    const tokenHash = hashSecret(challenge_token);
    const outcome = await this.#platform.transact('sign-in', async (em) => {
      const challenge = await em.findOne(SignInChallenge, { tokenHash, expiresAt: { $gt: new Date() } });
      if (challenge === null) return invalidChallenge();
      const account = await heldAccount(em, challenge.userId);
      const attempts = await em.execute(
        `update sign_in_challenge set attempts = attempts + 1 where token_hash = ? and attempts < ? returning 1`,
        [tokenHash, maxAttempts],
      );
      if (account.isDisabled || attempts.length === 0) return invalidChallenge();
      await attributeToUser(em, account);
      if (!(await this.#secondFactor.use(em, account.id, code))) return invalidCode();
      await em.nativeDelete(SignInChallenge, { tokenHash });
      // The license may have been revoked, or the membership ended, since the password was checked.
      return this.#sessions.open(em, ctx, account, challenge.chosenLicenseId ?? null).catch(refusalOf);
    });
    if (outcome instanceof DomainError) throw outcome;
    return outcome;
  }
}

function refusalOf(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown as DomainError;
  throw thrown;
}

/** Locks the account: a concurrent change of its password or second factor waits, or has already committed. */
async function heldAccount(em: EntityManager, userId: string): Promise<UserAccount> {
  return em.findOneOrFail(UserAccount, userId, { lockMode: LockMode.PESSIMISTIC_READ });
}

function createChallenge(em: EntityManager, userId: string, chosenLicenseId: string | null): Challenge {
  const token = createSecret('gantry_challenge_');
  const expiresAt = new Date(Date.now() + challengeMs);
  em.create(SignInChallenge, { tokenHash: hashSecret(token), userId, chosenLicenseId, expiresAt });
  return { token, expiresAt };
}

const invalidCredentials = () =>
  new DomainError('invalid_credentials', 'The e-mail address or the password is wrong.');

const invalidChallenge = () =>
  new DomainError(
    'invalid_challenge',
    'This sign-in has expired or had too many failed attempts; sign in again.',
  );
