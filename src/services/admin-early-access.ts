// The list of early access signups.
import type { Ctx } from '../context.ts';
import type { Query } from '../platform-contract/types.ts';
import { containing, createdWithin } from '../lists/filters.ts';
import { byId, pageOf } from '../lists/page.ts';
import type { Administration } from './auth/administration.ts';

export type SignupRow = Awaited<ReturnType<AdminEarlyAccess['list']>>['rows'][number];

export class AdminEarlyAccess {
  readonly #administration: Administration;

  constructor(administration: Administration) {
    this.#administration = administration;
  }

  async list(ctx: Ctx, query: Query<'listEarlyAccessSignups'>) {
    return this.#administration.read(ctx, (queries) => {
      let signups = queries
        .selectFrom('early_access_signup')
        .select(['id', 'email', 'server_count', 'created_at', 'confirmed_at', 'founding_place_at'])
        .where(createdWithin('created_at', query));
      if (query.q !== undefined) signups = signups.where('email', 'ilike', containing(query.q));
      return pageOf(signups, query, byId('id', 'desc'));
    });
  }
}
