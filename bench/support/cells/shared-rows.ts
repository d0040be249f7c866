// Rows that a license refers to and does not own: accounts, modules, resellers. They are copied before the license's rows.
import type pg from 'pg';

interface Shared {
  table: string;
  /** The condition of the rows that the license $1 refers to. */
  condition: string;
}

/** Applying changes checks no foreign keys, so a missing account would go unnoticed. */
const accounts = `(select user_id from membership where license_id = $1
  union select invited_by from invitation where license_id = $1
  union select created_by_id from api_key where license_id = $1 and created_by_id is not null)`;

const shared: readonly Shared[] = [
  { table: 'user_account', condition: `id in ${accounts}` },
  { table: 'totp', condition: `user_id in ${accounts}` },
  { table: 'recovery_code', condition: `user_id in ${accounts}` },
  {
    table: 'module',
    condition: `id in (select module_id from module_installation where license_id = $1
      union select module_id from module_purchase where license_id = $1
      union select module_id from subscription where license_id = $1)`,
  },
  { table: 'reseller', condition: 'id in (select reseller_id from reseller_license where license_id = $1)' },
];

/** Throws if the target knows one of them under another ID: an address, for example, that has another account there. */
export async function copySharedRows(
  source: pg.Client,
  target: pg.Client,
  licenseId: string,
): Promise<number> {
  let copied = 0;
  for (const { table, condition } of shared) {
    const { rows } = await source.query<{ rows: unknown; keys: string[] }>(
      `select coalesce(json_agg(row), '[]') as rows, coalesce(array_agg((to_jsonb(row) ->> $2)), '{}') as keys
       from ${table} as row where ${condition}`,
      [licenseId, await keyOf(source, table)],
    );
    const [{ rows: values, keys } = { rows: [], keys: [] }] = rows;
    const { rowCount } = await target.query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json) on conflict do nothing`,
      [JSON.stringify(values)],
    );
    copied += rowCount ?? 0;
    const key = await keyOf(target, table);
    const { rows: found } = await target.query<{ count: number }>(
      `select count(*)::int as count from ${table} as row where to_jsonb(row) ->> $1 = any($2)`,
      [key, keys],
    );
    if (found[0]?.count !== keys.length)
      throw new Error(`the target has other rows of ${table} where the license refers to its own`);
  }
  return copied;
}

async function keyOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
     where indrelid = $1::regclass and indisprimary`,
    [table],
  );
  return rows[0]?.name ?? 'id';
}
