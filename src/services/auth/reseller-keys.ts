// Finds the reseller whose API key a caller presents.
import type { Principal } from '../../context.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { unauthorized } from '../../errors.ts';
import { isHashOf, resellerIdentifierOf } from '../../secrets/random-secrets.ts';

export class ResellerKeys {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** Not cached, so that a replaced key is refused at once. The key is compared by its hash. */
  async find(key: string): Promise<Principal> {
    const identifier = resellerIdentifierOf(key);
    if (identifier === undefined) throw unauthorized();
    const reseller = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('reseller')
        .select(['id', 'name', 'key_hash'])
        .where('key_identifier', '=', identifier)
        .where('status', '=', 'active')
        .executeTakeFirst(),
    );
    if (reseller === undefined || !isHashOf(reseller.key_hash, key)) throw unauthorized();
    return {
      kind: 'reseller',
      // The prefix keeps a reseller that is named like a user from being taken for that user.
      actor: { kind: 'reseller', id: reseller.id, label: `reseller ${reseller.name}` },
      license: null,
      resellerId: reseller.id,
    };
  }
}
