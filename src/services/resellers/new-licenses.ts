// Inserts any number of licenses, with their roles, owners and secrets, in two statements.
import type { EntityManager } from '../../database/connection.ts';
import { ownerRole, systemRoles } from '../auth/role-permissions.ts';

/** A license as the insert statement takes it. */
export interface NewLicense {
  server_id: string;
  hostname: string;
  /** E-mail address of its Owner, in lower case. */
  email: string;
  key: string;
  subdomain: string;
  companion_token_hash: string;
  /** The encrypted secrets as base64. */
  sealed_secrets: string;
}

export interface MadeLicense {
  id: string;
  license_id: string;
  server_id: string;
}

export interface MadeLicenses {
  rows: MadeLicense[];
  /** Owners whose account existed before. */
  formerOwnerIds: string[];
}

/**
 * The first statement creates accounts, so that the second also sees accounts that a concurrent transaction has just
 * created.
 */
export async function insertLicenses(
  em: EntityManager,
  resellerId: string,
  licenses: readonly NewLicense[],
): Promise<MadeLicenses> {
  const emails = JSON.stringify([...new Set(licenses.map(({ email }) => email))]);
  const made = await em.execute<{ id: string }[]>(
    `insert into user_account (email) select * from jsonb_array_elements_text(?::jsonb) as email order by 1
     on conflict do nothing returning id`,
    [emails],
  );
  const rows = await em.execute<(MadeLicense & { user_id: string })[]>(
    `with wanted as (
       select * from jsonb_to_recordset(?::jsonb) as wanted (server_id text, hostname text, email text, key text,
         subdomain text, companion_token_hash text, sealed_secrets text)
     ), made as (
       insert into license (key, name, subdomain, companion_token_hash, owner_email)
       select key, hostname, subdomain, companion_token_hash, email from wanted returning id, key
     ), named_role as (
       insert into role (license_id, name, is_system, permissions)
       select made.id, system.name, true, system.permissions
       from made cross join jsonb_to_recordset(?::jsonb) as system (name text, permissions jsonb)
       returning license_id, id, name
     ), member as (
       insert into membership (license_id, user_id, role_id)
       select made.id, user_account.id, named_role.id
       from made join wanted using (key) join user_account on user_account.email = wanted.email
         join named_role on named_role.license_id = made.id and named_role.name = ?
       returning license_id, user_id
     ), sold as (
       insert into reseller_license (license_id, reseller_id, server_id, hostname, customer_email, sealed_secrets)
       select made.id, ?, server_id, hostname, email, decode(sealed_secrets, 'base64')
       from made join wanted using (key) returning id, license_id, server_id
     )
     select sold.*, member.user_id from sold join member using (license_id)`,
    [JSON.stringify(licenses), JSON.stringify(systemRoles), ownerRole, resellerId],
  );
  const newIds = new Set(made.map(({ id }) => id));
  const ownerIds = new Set(rows.map(({ user_id }) => user_id));
  return { rows, formerOwnerIds: [...ownerIds].filter((id) => !newIds.has(id)) };
}
