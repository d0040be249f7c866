// The members of a license and their roles.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { ApiKey, Invitation, Membership, Role } from '../../entities/index.ts';
import { DomainError, notFound, unauthorized } from '../../errors.ts';
import type { AccessChanges } from '../auth/access-changes.ts';
import { byId, pageOf } from '../../lists/page.ts';
import { ownerRole, permissionsOfRole } from '../auth/role-permissions.ts';
import { permissionsOf, refuseBeyondOwn, lockAccess, lockAccessOf } from './access.ts';

export type MemberRow = Awaited<ReturnType<typeof memberOf>>;

export class Members {
  readonly #changes: AccessChanges;

  constructor(changes: AccessChanges) {
    this.#changes = changes;
  }

  async list(ctx: Ctx, query: Query<'listMembers'>) {
    return ctx.read((queries) => pageOf(members(queries), query, byId('membership.id', 'asc')));
  }

  async update(ctx: Ctx, id: string, { role_id }: Schemas['MemberUpdate']): Promise<MemberRow> {
    return ctx.transact(async (em, queries) => {
      const held = await lockAccessOf(ctx, em, queries);
      const member = await memberOf(queries, id);
      const role = await em.findOne(Role, role_id);
      if (role === null) throw notFound('role');
      refuseBeyondOwn(held, permissionsOfRole(member));
      refuseBeyondOwn(held, permissionsOf(role));
      if (member.role_id !== role_id) await refuseLastOwner(queries, member);
      await em.nativeUpdate(Membership, { id }, { roleId: role_id });
      this.#changes.announce({ user_id: member.user_id });
      return memberOf(queries, id);
    });
  }

  async remove(ctx: Ctx, id: string): Promise<void> {
    await ctx.transact(async (em, queries) => {
      const held = await lockAccessOf(ctx, em, queries);
      const member = await memberOf(queries, id);
      refuseBeyondOwn(held, permissionsOfRole(member));
      await this.#end(em, queries, member);
    });
  }

  /** Removes the caller from the team. */
  async leave(ctx: Ctx): Promise<void> {
    const { userId } = ctx.user;
    await ctx.transact(async (em, queries) => {
      await lockAccess(em, ctx.licenseId);
      const own = await members(queries).where('membership.user_id', '=', userId).executeTakeFirst();
      if (own === undefined) throw unauthorized();
      await this.#end(em, queries, own);
    });
  }

  /**
   * Ending a membership also ends the member's invitations and API keys. They are not restored when the user joins
   * again.
   */
  async #end(em: EntityManager, queries: Queries, member: MemberRow): Promise<void> {
    await refuseLastOwner(queries, member);
    await em.nativeDelete(Membership, { id: member.id });
    const now = new Date();
    await em.nativeUpdate(Invitation, { invitedBy: member.user_id, endedAt: null }, { endedAt: now });
    await em.nativeUpdate(ApiKey, { createdById: member.user_id, revokedAt: null }, { revokedAt: now });
    this.#changes.announce({ user_id: member.user_id });
  }
}

interface Account {
  user_id: string;
  email: string;
  is_disabled: boolean;
}

/** The accounts of the current license's members; other accounts are not visible. */
export const accounts = sql<Account>`member_accounts()`.as('account');

function members(queries: Queries) {
  return queries
    .selectFrom('membership')
    .innerJoin('role', 'role.id', 'membership.role_id')
    .innerJoin(accounts, 'account.user_id', 'membership.user_id')
    .select([
      'membership.id',
      'membership.user_id',
      'membership.role_id',
      'membership.created_at',
      'account.email',
      'account.is_disabled',
      'role.name',
      'role.is_system',
      'role.permissions',
    ]);
}

async function memberOf(queries: Queries, id: string) {
  const member = await members(queries).where('membership.id', '=', id).executeTakeFirst();
  if (member === undefined) throw notFound('member');
  return member;
}

const isOwner = ({ name, is_system }: Pick<MemberRow, 'name' | 'is_system'>) =>
  is_system && name === ownerRole;

/** Throws if the member is the last Owner whose account is not locked. */
async function refuseLastOwner(queries: Queries, member: MemberRow): Promise<void> {
  if (!isOwner(member)) return;
  const other = await members(queries)
    .where('role.is_system', '=', true)
    .where('role.name', '=', ownerRole)
    .where('account.is_disabled', '=', false)
    .where('membership.id', '!=', member.id)
    .executeTakeFirst();
  if (other === undefined)
    throw new DomainError(
      'last_owner',
      'This is the last Owner of the license; give another member the role Owner first.',
    );
}

/** For e-mail to the Owners: the license's name, and the addresses of all Owners whose accounts are active. */
export async function ownersOf(queries: Queries): Promise<{ license: string; owners: string[] }> {
  const license = await queries.selectFrom('license').select('name').executeTakeFirstOrThrow();
  const owners = await queries
    .selectFrom('membership')
    .innerJoin('role', 'role.id', 'membership.role_id')
    .innerJoin(accounts, 'account.user_id', 'membership.user_id')
    .select('account.email')
    .where('role.is_system', '=', true)
    .where('role.name', '=', ownerRole)
    .where('account.is_disabled', '=', false)
    .execute();
  return { license: license.name, owners: owners.map(({ email }) => email) };
}
