// Compares the rows of one license in two cells: their number and contents, table by table.
import type pg from 'pg';
import { publishedTables } from './replication.ts';

export interface Comparison {
  tables: number;
  /** Tables with at least one row. */
  filled: number;
  rows: number;
  different: string[];
  ms: number;
}

export async function compareRows(
  source: pg.Client,
  target: pg.Client,
  licenseId: string,
): Promise<Comparison> {
  const begun = performance.now();
  const comparison: Comparison = { tables: 0, filled: 0, rows: 0, different: [], ms: 0 };
  for (const { name, column } of await publishedTables(source)) {
    const [here, there] = await Promise.all(
      [source, target].map((client) => digestOf(client, name, column, licenseId)),
    );
    comparison.tables += 1;
    comparison.rows += here?.rows ?? 0;
    if ((here?.rows ?? 0) > 0) comparison.filled += 1;
    if (here?.rows !== there?.rows || here?.digest !== there?.digest)
      comparison.different.push(`${name} (${here?.rows} and ${there?.rows} rows)`);
  }
  comparison.ms = performance.now() - begun;
  return comparison;
}

async function digestOf(client: pg.Client, table: string, column: string, licenseId: string) {
  const { rows } = await client.query<{ rows: number; digest: string }>(
    `select count(*)::int as rows, coalesce(sum(hashtextextended(row::text, 0)::numeric), 0)::text as digest
     from ${table} as row where ${column} = $1`,
    [licenseId],
  );
  return rows[0];
}
