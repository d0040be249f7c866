// Users as super admins list, promote and disable them.
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { EntityManager } from '../database/connection.ts';
import type { Queries } from '../database/reader.ts';
import { UserAccount } from '../entities/index.ts';
import { DomainError, notFound } from '../errors.ts';
import type { AccessChanges } from './auth/access-changes.ts';
import { endSessions } from './auth/session-revocation.ts';
import { containing, createdWithin } from '../lists/filters.ts';
import { byId, pageOf } from '../lists/page.ts';
import type { Administration } from './auth/administration.ts';

export type UserRow = Awaited<ReturnType<typeof userOf>>;

export class AdminUsers {
  readonly #administration: Administration;
  readonly #changes: AccessChanges;

  constructor(administration: Administration, changes: AccessChanges) {
    this.#administration = administration;
    this.#changes = changes;
  }

  async list(ctx: Ctx, query: Query<'listUsers'>) {
    return this.#administration.read(ctx, (queries) => {
      let users = usersOf(queries).where(createdWithin('created_at', query));
      const { q, is_super_admin, is_disabled, license_id } = query;
      if (q !== undefined) users = users.where('email', 'ilike', containing(q));
      if (is_super_admin !== undefined) users = users.where('is_super_admin', '=', is_super_admin);
      if (is_disabled !== undefined) users = users.where('is_disabled', '=', is_disabled);
      if (license_id !== undefined) {
        users = users.where('id', 'in', (eb) =>
          eb.selectFrom('membership').select('user_id').where('license_id', '=', license_id),
        );
      }
      return pageOf(users, query, byId('id', 'desc'));
    });
  }

  /** Changes the given fields. A disabled user is disconnected at once. */
  async update(ctx: Ctx, { user_id, is_super_admin, is_disabled }: Schemas['UserUpdate']): Promise<UserRow> {
    return this.#administration.transact(ctx, async (em, queries) => {
      const admins = await lockedAdmins(em);
      const user = await em.findOne(UserAccount, { id: user_id, sandboxLicenseId: null });
      if (user === null) throw notFound('user');
      user.isSuperAdmin = is_super_admin ?? user.isSuperAdmin;
      user.isDisabled = is_disabled ?? user.isDisabled;
      const staysAdmin = user.isSuperAdmin && !user.isDisabled;
      if (!staysAdmin && admins.length === 1 && admins[0] === user_id) throw lastSuperAdmin();
      await em.flush();
      if (user.isDisabled) await endSessions(em, this.#changes, user_id);
      this.#changes.announce({ user_id });
      return userOf(queries, user_id);
    });
  }
}

/**
 * Ids of the super admins who can sign in. Locks their rows, so that their number cannot fall until the transaction
 * ends.
 */
async function lockedAdmins(em: EntityManager): Promise<string[]> {
  const admins = await em.execute<{ id: string }[]>(
    'select id from user_account where is_super_admin and not is_disabled order by id for update',
  );
  return admins.map(({ id }) => id);
}

const lastSuperAdmin = () =>
  new DomainError(
    'last_super_admin',
    'This is the last super admin of the platform; promote another user first.',
  );

function usersOf(queries: Queries) {
  return queries
    .selectFrom('user_account')
    .select((eb) => [
      'id',
      'email',
      'is_super_admin',
      'is_disabled',
      'created_at',
      eb
        .selectFrom('membership')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('membership.user_id', '=', 'user_account.id')
        .as('license_count'),
    ])
    .where('sandbox_license_id', 'is', null);
}

async function userOf(queries: Queries, id: string) {
  const user = await usersOf(queries).where('id', '=', id).executeTakeFirst();
  if (user === undefined) throw notFound('user');
  return user;
}
