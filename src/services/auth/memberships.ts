// The licenses that a user belongs to, and the one that a session works in.
import { licenseRevoked, type PermissionMap } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { License, Membership, Role, type UserSession } from '../../entities/index.ts';
import { notFound } from '../../errors.ts';
import { ownerRole, permissionsOfRole } from './role-permissions.ts';

/** A user's membership of a license. */
export interface Place {
  license_id: string;
  name: string;
  status: 'active' | 'revoked';
  role: string;
  permissions: PermissionMap;
}

export function placeIn(places: Place[], { workingLicenseId }: UserSession): Place | undefined {
  return places.find(({ license_id }) => license_id === workingLicenseId);
}

/** Returns a license that the user belongs to and may work in. The owner may still enter a revoked license. */
export async function chosenLicense(em: EntityManager, userId: string, licenseId: string): Promise<string> {
  const membership = await em.findOne(Membership, { userId, licenseId });
  if (membership === null) throw notFound('license');
  const { status } = await em.findOneOrFail(License, licenseId);
  const canEnter = status === 'active' || (await isOwner(em, membership));
  if (!canEnter) throw licenseRevoked();
  return membership.licenseId;
}

/** The default license of a user who has not chosen one: the first active license, otherwise the first. */
export function defaultLicense(places: Place[]): string | null {
  const place = places.find(({ status }) => status === 'active') ?? places[0];
  return place?.license_id ?? null;
}

/** The active license in which the user's latest session worked, of those that the user still belongs to. */
export async function lastLicense(queries: Queries, userId: string, places: Place[]): Promise<string | null> {
  const active = places.filter(({ status }) => status === 'active').map(({ license_id }) => license_id);
  if (active.length < 2) return null;
  const session = await queries
    .selectFrom('user_session')
    .select('working_license_id')
    .where('user_id', '=', userId)
    .where('working_license_id', 'in', active)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return session?.working_license_id ?? null;
}

async function isOwner(em: EntityManager, { roleId }: Membership): Promise<boolean> {
  return (await em.count(Role, { id: roleId, isSystem: true, name: ownerRole })) > 0;
}

export async function placesOf(queries: Queries, userId: string): Promise<Place[]> {
  const rows = await queries
    .selectFrom('membership')
    .innerJoin('license', 'license.id', 'membership.license_id')
    .innerJoin('role', 'role.id', 'membership.role_id')
    .select([
      'license.id as license_id',
      'license.name',
      'license.status',
      'role.name as role',
      'role.is_system',
      'role.permissions',
    ])
    .where('membership.user_id', '=', userId)
    .orderBy('membership.created_at')
    .orderBy('membership.id')
    .execute();
  return rows.map(({ license_id, name, status, role, ...rest }) => ({
    license_id,
    name,
    status,
    role,
    permissions: permissionsOfRole({ ...rest, name: role }),
  }));
}
