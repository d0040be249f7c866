// Has the changes of a table's rows written into the audit log.
import type { Migration } from '@mikro-orm/migrations';

export interface AuditOptions {
  /** Column with the license that a row belongs to; a name that the table has not stands for none. */
  license?: string;
  /** Column that names the row. */
  target?: string;
  /** Columns of which only it is told that they changed. */
  secrets?: string[];
  /** Of updates, only those that set one of these. */
  updatesOf?: string[];
  events?: string;
}

/** Call it after the table is created. */
export function audit(
  migration: Migration,
  table: string,
  {
    license = 'license_id',
    target = 'id',
    secrets = [],
    updatesOf = [],
    events = 'insert or update or delete',
  }: AuditOptions = {},
): void {
  const watched =
    updatesOf.length === 0 ? events : events.replace('update', `update of ${updatesOf.join(', ')}`);
  const args = [license, target, ...secrets].map((name) => `'${name}'`).join(', ');
  migration.addSql(
    `create trigger audited after ${watched} on ${table} for each row execute function record_change(${args})`,
  );
}
