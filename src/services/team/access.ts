// Serialises access changes in a license, and refuses to grant or revoke permissions the caller lacks.
import type { Ctx, PermissionMap } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { holdLock } from '../../database/advisory-locks.ts';
import type { Role } from '../../entities/index.ts';
import { DomainError, unauthorized } from '../../errors.ts';
import { covers, permissionsOfRole } from '../auth/role-permissions.ts';

/** Takes the license's advisory lock for access changes, and holds it until the transaction ends. */
export async function lockAccess(em: EntityManager, licenseId: string): Promise<void> {
  await holdLock(em, `access ${licenseId}`);
}

/** Takes the lock and returns the caller's current permissions, which an earlier change may have reduced. */
export async function lockAccessOf(ctx: Ctx, em: EntityManager, queries: Queries): Promise<PermissionMap> {
  await lockAccess(em, ctx.licenseId);
  if (ctx.principal.kind !== 'user') return ctx.license.permissions;
  const held = await permissionsOfMember(queries, ctx.licenseId, ctx.user.userId);
  if (held === undefined) throw unauthorized();
  return held;
}

export function permissionsOf({ name, isSystem, permissions }: Role): PermissionMap {
  return permissionsOfRole({ name, is_system: isSystem, permissions });
}

/** Matches invitations that can still be accepted. */
export const isOpen = () => ({ endedAt: null, expiresAt: { $gt: new Date() } });

/** The user's permissions in the license; undefined if the user is not a member. */
export async function permissionsOfMember(
  queries: Queries,
  licenseId: string,
  userId: string,
): Promise<PermissionMap | undefined> {
  const role = await queries
    .selectFrom('membership')
    .innerJoin('role', 'role.id', 'membership.role_id')
    .select(['role.name', 'role.is_system', 'role.permissions'])
    .where('membership.license_id', '=', licenseId)
    .where('membership.user_id', '=', userId)
    .executeTakeFirst();
  return role && permissionsOfRole(role);
}

/** Throws unless the first map covers every permission that the second grants. */
export function refuseBeyondOwn(held: PermissionMap, granted: PermissionMap): void {
  if (covers(held, granted)) return;
  const missing = Object.keys(granted).filter((entry) => !covers(held, { [entry]: granted[entry] === true }));
  throw new DomainError('beyond_own_permissions', `You do not hold ${missing.join(', ')} yourself.`);
}
