// The rows that every license has from the start: its system roles and the membership of its owner.
import type { EntityManager } from '../../database/connection.ts';
import { Membership, Role } from '../../entities/index.ts';
import { ownerRole, systemRoles } from '../auth/role-permissions.ts';

/** Creates them. Call it in a transaction of the license. */
export async function furnish(em: EntityManager, ownerId: string): Promise<void> {
  const roles = systemRoles.map(({ name, permissions }) =>
    em.create(Role, { name, permissions: { ...permissions }, isSystem: true }),
  );
  await em.flush();
  const owner = roles.find(({ name }) => name === ownerRole);
  if (owner === undefined) throw new Error('a license has an Owner role');
  em.create(Membership, { userId: ownerId, roleId: owner.id });
}
