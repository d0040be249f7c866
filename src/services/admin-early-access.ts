// The list of early access signups.
import type { Query } from '../platform-contract/types.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { containing, createdWithin } from '../lists/filters.ts';
import { byId, pageOf } from '../lists/page.ts';

export type SignupRow = Awaited<ReturnType<AdminEarlyAccess['list']>>['rows'][number];

export class AdminEarlyAccess {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  async list(query: Query<'listEarlyAccessSignups'>) {
    return this.#platform.read('administration', (queries) => {
      let signups = queries
        .selectFrom('early_access_signup')
        .select(['id', 'email', 'server_count', 'created_at', 'confirmed_at', 'founding_place_at'])
        .where(createdWithin('created_at', query));
      if (query.q !== undefined) signups = signups.where('email', 'ilike', containing(query.q));
      return pageOf(signups, query, byId('id', 'desc'));
    });
  }
}
