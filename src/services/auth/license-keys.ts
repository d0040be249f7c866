// Finds the license whose key a game server's plugin presents.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { licenseRevoked, type Principal } from '../../context.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { unauthorized } from '../../errors.ts';

export class LicenseKeys {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /**
   * Not cached, so that a replaced key is refused at once. Looked up by hash, so that the response time does not reveal
   * how much of a wrong key is right.
   */
  async find(key: string): Promise<Principal> {
    const hash = createHash('sha256').update(key).digest();
    const license = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('license')
        .select(['id', 'name', 'status'])
        .where(sql<boolean>`sha256(key::bytea) = ${hash}`)
        .executeTakeFirst(),
    );
    if (license === undefined) throw unauthorized();
    if (license.status === 'revoked') throw licenseRevoked();
    return {
      kind: 'plugin',
      actor: { kind: 'plugin', id: license.id, label: `plugins of ${license.name}` },
      license: { id: license.id, role: 'plugin', permissions: {}, isRevoked: false },
    };
  }
}
