// Remembers which bus keys are void and makes the broker refuse them.
import type { AgentCredentials } from '../bus/agent-credentials.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { BusRevocation } from '../entities/index.ts';

export class BusRevocations {
  readonly #platform: PlatformScope;
  readonly #credentials: AgentCredentials;

  constructor(platform: PlatformScope, credentials: AgentCredentials) {
    this.#platform = platform;
    this.#credentials = credentials;
  }

  /** Adds the keys to the list and gives the broker the whole of it. */
  async revoke(publicKeys: string[]): Promise<void> {
    await this.#platform.transact('agents', (em) =>
      em
        .upsertMany(
          BusRevocation,
          publicKeys.map((publicKey) => ({ publicKey, revokedAt: new Date() })),
        )
        .then(() => undefined),
    );
    await this.publish();
  }

  /** Gives the broker the list, for one that may have forgotten it. */
  async publish(): Promise<void> {
    let list = await this.#recent();
    for (let given = ''; given !== JSON.stringify(list); list = await this.#recent()) {
      given = JSON.stringify(list);
      await this.#credentials.revoke(list);
    }
  }

  /** Read again after each time it was given: another replica may have given a shorter one meanwhile. */
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
