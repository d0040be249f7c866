// The Owners of a license, as recipients of e-mail.
import type { Queries } from '../../database/reader.ts';
import { ownerRole } from '../permissions/permission-map.ts';
import { accounts } from './index.ts';

/** The license's name, and the addresses of all Owners whose accounts are active. */
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
