// Changes passwords: with the current one, or with a link that was mailed to the account's address.
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { attributeToUser } from '../../database/attribution.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { PasswordToken, UserAccount } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import { enqueueJob } from '../../queue/enqueue.ts';
import type { MailOut } from '../../mail/mail-out.ts';
import { createSecret, hashSecret } from '../../secrets/random-secrets.ts';
import type { AccessChanges } from './access-changes.ts';
import type { Passwords } from './passwords.ts';
import { endPasswordTokens, endSessions } from './session-revocation.ts';

/** An account that its user did not request can be claimed for a week. */
export const welcomeTokenMs = 7 * 24 * 60 * 60_000;
const resetTokenMs = 60 * 60_000;
/** Messages that one account gets within the lifetime of a reset link. */
const maxMessages = 5;

/** Creates the token of a mailed link; its holder may set the user's password once. */
export async function createPasswordToken(
  em: EntityManager,
  userId: string,
  lifetimeMs: number,
): Promise<string> {
  const token = createSecret('gantry_password_');
  em.create(PasswordToken, {
    tokenHash: hashSecret(token),
    userId,
    expiresAt: new Date(Date.now() + lifetimeMs),
  });
  return token;
}

export class PasswordChanges {
  readonly #platform: PlatformScope;
  readonly #passwords: Passwords;
  readonly #changes: AccessChanges;

  constructor(platform: PlatformScope, passwords: Passwords, changes: AccessChanges) {
    this.#platform = platform;
    this.#passwords = passwords;
    this.#changes = changes;
  }

  async change(ctx: Ctx, input: Schemas['PasswordChange']): Promise<void> {
    const { userId, email, sessionId } = ctx.user;
    const account = await this.#platform.read('sign-in', (queries) =>
      queries.selectFrom('user_account').select('password_hash').where('id', '=', userId).executeTakeFirst(),
    );
    const current = account?.password_hash;
    if (!(await this.#passwords.verify(current, input.current_password))) throw wrongPassword();
    if (input.new_password === input.current_password)
      throw new DomainError('same_password', 'The new password equals the current one; choose another.');
    const passwordHash = await this.#passwords.hashChosen({
      password: input.new_password,
      email,
      pointer: '/new_password',
    });
    await this.#platform.transact('sign-in', async (em) => {
      const changed = await em.nativeUpdate(
        UserAccount,
        { id: userId, passwordHash: current ?? null },
        { passwordHash },
      );
      if (changed === 0) throw wrongPassword();
      await endPasswordTokens(em, userId);
      await endSessions(em, this.#changes, userId, { except: sessionId });
    });
  }

  /** Defers everything to a job, so that the response does not reveal who has an account. */
  async askForReset({ email }: Schemas['PasswordResetRequest']): Promise<void> {
    const address = email.toLowerCase();
    await this.#platform.transact('sign-in', (em) =>
      enqueueJob(em, 'start-password-reset', { email: address }, { key: `password reset ${address}` }),
    );
  }

  async reset({ token, password }: Schemas['PasswordReset']): Promise<void> {
    const tokenHash = hashSecret(token);
    const user = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('password_token as token')
        .innerJoin('user_account as user', 'user.id', 'token.user_id')
        .select(['user.id', 'user.email'])
        .where('token.token_hash', '=', tokenHash)
        .where('token.expires_at', '>', new Date().toISOString())
        .where('user.is_disabled', '=', false)
        .executeTakeFirst(),
    );
    if (user === undefined) throw invalidToken();
    const passwordHash = await this.#passwords.hashChosen({
      password,
      email: user.email,
      pointer: '/password',
    });
    await this.#platform.transact('sign-in', async (em) => {
      await attributeToUser(em, user);
      await em.nativeUpdate(UserAccount, { id: user.id }, { passwordHash });
      const used = await em.nativeDelete(PasswordToken, { tokenHash, expiresAt: { $gt: new Date() } });
      if (used === 0) throw invalidToken();
      await endPasswordTokens(em, user.id);
      await endSessions(em, this.#changes, user.id);
    });
  }
}

/** Sends a requested password reset link, if the address has an account. */
export class PasswordResets {
  readonly #platform: PlatformScope;
  readonly #mailOut: MailOut;

  constructor(platform: PlatformScope, mailOut: MailOut) {
    this.#platform = platform;
    this.#mailOut = mailOut;
  }

  async start(email: string): Promise<void> {
    await this.#platform.transact('sign-in', async (em) => {
      const user = await em.findOne(UserAccount, { email, isDisabled: false });
      if (user === null) return;
      const since = new Date(Date.now() - resetTokenMs);
      const sent = await em.count(PasswordToken, { userId: user.id, createdAt: { $gt: since } });
      if (sent >= maxMessages) return;
      const token = await createPasswordToken(em, user.id, resetTokenMs);
      const mail = { to: email, template: 'password-reset', values: { email, token } } as const;
      // Unauthenticated callers can request these, so together they must leave room for other mail.
      await this.#mailOut.enqueue(em, mail, 'password-reset');
    });
  }
}

export const wrongPassword = () => new DomainError('wrong_password', 'This is not your current password.');

const invalidToken = () =>
  new DomainError('invalid_password_token', 'This link is no longer valid; request a new one.');
