// Step-ups: users confirm their identity again before actions whose effects outlive their access token.
import type { Ctx, Principal } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { UserAccount, UserSession } from '../../entities/index.ts';
import { DomainError, unauthorized } from '../../errors.ts';
import type { Passwords } from './passwords.ts';
import { invalidCode, lockAccount, type SecondFactor } from './second-factor.ts';
import { wrongPassword } from './password-changes.ts';

export const stepUpMs = 10 * 60_000;

export class StepUps {
  readonly #platform: PlatformScope;
  readonly #passwords: Passwords;
  readonly #secondFactor: SecondFactor;

  constructor(platform: PlatformScope, passwords: Passwords, secondFactor: SecondFactor) {
    this.#platform = platform;
    this.#passwords = passwords;
    this.#secondFactor = secondFactor;
  }

  /** Records in the caller's session that they have shown their password, or a code if they have a second factor. */
  async confirm(ctx: Ctx, { password, code }: Schemas['StepUpRequest']): Promise<Date> {
    const { userId, sessionId } = ctx.user;
    const account = await this.#platform.read('sign-in', (queries) =>
      queries.selectFrom('user_account').select('password_hash').where('id', '=', userId).executeTakeFirst(),
    );
    const current = account?.password_hash ?? null;
    if (password !== undefined && !(await this.#passwords.verify(current ?? undefined, password)))
      throw wrongPassword();
    return this.#platform.transact('sign-in', async (em) => {
      await lockAccount(em, userId);
      if (code === undefined && (await this.#secondFactor.isOn(em, userId))) throw secondFactorRequired();
      if (code !== undefined && !(await this.#secondFactor.use(em, userId, code))) throw invalidCode();
      const isUnchanged = (await em.count(UserAccount, { id: userId, passwordHash: current })) > 0;
      if (password !== undefined && !isUnchanged) throw wrongPassword();
      const steppedUpUntil = new Date(Date.now() + stepUpMs);
      const updated = await em.nativeUpdate(
        UserSession,
        { id: sessionId, endedAt: null },
        { steppedUpUntil },
      );
      if (updated === 0) throw unauthorized();
      return steppedUpUntil;
    });
  }

  /** Returns until when the caller's session counts as confirmed; null when it does not. */
  async confirmedUntil({ sessionId }: { sessionId: string }): Promise<string | null> {
    const row = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('user_session')
        .select('stepped_up_until')
        .where('id', '=', sessionId)
        .where('stepped_up_until', '>', new Date().toISOString())
        .executeTakeFirst(),
    );
    return row?.stepped_up_until ?? null;
  }

  /**
   * Throws for users who have not confirmed their identity. Reads the database, so that a step-up counts on every
   * replica immediately.
   */
  async require(principal: Principal): Promise<void> {
    if (!(await this.isConfirmed(principal))) throw stepUpRequired();
  }

  /** Whether the caller may do what requires a step-up. API keys and other programs need none. */
  async isConfirmed(principal: Principal): Promise<boolean> {
    return principal.kind !== 'user' || (await this.confirmedUntil(principal)) !== null;
  }
}

export const stepUpRequired = () =>
  new DomainError(
    'step_up_required',
    'Confirm your password, or a code of your second factor, with POST /auth/step-up; then send the request again.',
  );

const secondFactorRequired = () =>
  new DomainError(
    'second_factor_required',
    'You have a second factor: send a code of your authenticator app, or a recovery code, as `code`.',
  );
