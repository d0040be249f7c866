// SQL for periodic work that changes a bounded number of rows and skips rows that are locked.
import type { EntityManager } from './connection.ts';

/** An SQL condition: the row is among the first matching rows that no other transaction has locked. */
export function isAmong(table: string, condition: string, maxRows: number): string {
  return `ctid = any(array(select ctid from ${table} where ${condition} limit ${maxRows} for update skip locked))`;
}

/** Executes an `insert`, `update` or `delete` and returns the number of rows written. */
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
