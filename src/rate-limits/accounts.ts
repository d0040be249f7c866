// Finds the account that a request concerns before it runs, and whether the account knows its source address.
import type { PlatformScope } from '../database/platform-scope.ts';
import { hashSecret } from '../secrets/random-secrets.ts';
import type { LimitClass } from './classes.ts';
import { networkOf } from '../network/ip-networks.ts';

export class Accounts {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** The account's e-mail address; for `email`, whether or not the account exists. */
  async idOf(way: NonNullable<LimitClass['account']>, body: unknown): Promise<string | undefined> {
    const { email, challenge_token: token } = body as { email?: string; challenge_token?: string };
    if (way === 'email') return email?.toLowerCase();
    if (token === undefined) return undefined;
    const user = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('sign_in_challenge as challenge')
        .innerJoin('user_account as user', 'user.id', 'challenge.user_id')
        .select('user.email')
        .where('challenge.token_hash', '=', hashSecret(token))
        .executeTakeFirst(),
    );
    return user?.email;
  }

  /** Whether the account has a session that was started from this network. */
  async isKnownSource(email: string, source: string): Promise<boolean> {
    const sessions = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('user_session as session')
        .innerJoin('user_account as user', 'user.id', 'session.user_id')
        .select('session.source')
        .distinct()
        .where('user.email', '=', email)
        .where('session.source', 'is not', null)
        .execute(),
    );
    const network = networkOf(source);
    return sessions.some((session) => session.source !== null && networkOf(session.source) === network);
  }
}
