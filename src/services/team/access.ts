// Changes of who may do what in a license: they take turns, and nobody gives or takes away what they do not hold.
import type { Ctx, PermissionMap } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { holdTurn } from '../../database/advisory-locks.ts';
import type { Role } from '../../entities/index.ts';
import { DomainError, unauthorized } from '../../errors.ts';
import { covers, permissionsOfRole } from '../permissions/permission-map.ts';

/** Waits until no other change of who may do what runs in that license, and keeps others waiting until this has ended. */
export async function takeTurn(em: EntityManager, licenseId: string): Promise<void> {
  await holdTurn(em, `access ${licenseId}`);
}

/** Takes a turn and answers what the caller may do now, which a change that came first may have made less. */
export async function takeTurnOf(ctx: Ctx, em: EntityManager, queries: Queries): Promise<PermissionMap> {
  await takeTurn(em, ctx.licenseId);
  if (ctx.principal.kind !== 'user') return ctx.license.permissions;
  const held = await permissionsOfMember(queries, ctx.licenseId, ctx.user.userId);
  if (held === undefined) throw unauthorized();
  return held;
}

export function permissionsOf({ name, isSystem, permissions }: Role): PermissionMap {
  return permissionsOfRole({ name, is_system: isSystem, permissions });
}

/** Marks an invitation that can still be accepted. */
export const isOpen = () => ({ endedAt: null, expiresAt: { $gt: new Date() } });

/** What the user may do in the license; undefined when they do not belong to it. */
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

/** Throws unless whoever holds the first map holds all that the second grants. */
export function refuseBeyondOwn(held: PermissionMap, granted: PermissionMap): void {
  if (covers(held, granted)) return;
  const missing = Object.keys(granted).filter((entry) => !covers(held, { [entry]: granted[entry] === true }));
  throw new DomainError('beyond_own_permissions', `You do not hold ${missing.join(', ')} yourself.`);
}
