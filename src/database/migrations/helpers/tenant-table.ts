// What makes a table a tenant's: row level security, its one policy, and the tenant role's rights.
import type { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../../entities/tenant.ts';

/** Call it after the table is created. `ownedBy` is the column that holds the license's id. */
export function keepLicensesApart(
  migration: Migration,
  table: string,
  { ownedBy = 'license_id', rights = 'select, insert, update, delete' } = {},
): void {
  const ownRows = `${ownedBy} = ${currentLicense}`;
  migration.addSql(`alter table ${table} enable row level security`);
  migration.addSql(`create policy tenant on ${table} using (${ownRows}) with check (${ownRows})`);
  migration.addSql(`grant ${rights} on ${table} to gantry_tenant`);
}
