// SQL of periodic work that changes a bounded number of rows at once, and waits for none that somebody else holds.
import type { EntityManager } from './connection.ts';

/** As SQL: whether a row of the table is among the first that meet the condition and that nobody else holds. */
export function isAmong(table: string, condition: string, maxRows: number): string {
  return `ctid = any(array(select ctid from ${table} where ${condition} limit ${maxRows} for update skip locked))`;
}

/** Executes an `insert`, `update` or `delete` and returns how many rows it has written. */
export async function countOf(
  em: EntityManager,
  statement: string,
  values: (string | number)[] = [],
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `with written as (${statement} returning 1) select count(*)::integer as count from written`,
    values,
  );
  return row?.count ?? 0;
}
