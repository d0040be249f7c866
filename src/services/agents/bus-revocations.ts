// Sends the broker the list of revoked bus keys, whose credentials it then refuses.
import type { AgentCredentials } from '../../bus/agent-credentials.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';

export class BusRevocations {
  readonly #platform: PlatformScope;
  readonly #credentials: AgentCredentials;

  constructor(platform: PlatformScope, credentials: AgentCredentials) {
    this.#platform = platform;
    this.#credentials = credentials;
  }

  /** Sends the broker the complete list, until the list no longer changes. */
  async publish(): Promise<void> {
    let list = await this.#recent();
    for (let given = ''; given !== JSON.stringify(list); list = await this.#recent()) {
      given = JSON.stringify(list);
      await this.#credentials.revoke(list);
    }
  }

  /** Read again after each send: another replica may have sent an older, shorter list meanwhile. */
  async #recent(): Promise<{ publicKey: string; revokedAt: Date }[]> {
    const since = new Date(Date.now() - this.#credentials.lifetimeMs);
    const rows = await this.#platform.read('agents', (queries) =>
      queries
        .selectFrom('bus_revocation')
        .select(['public_key', 'revoked_at'])
        .where('revoked_at', '>', since.toISOString())
        .orderBy('public_key')
        .execute(),
    );
    return rows.map(({ public_key, revoked_at }) => ({
      publicKey: public_key,
      revokedAt: new Date(revoked_at),
    }));
  }
}
