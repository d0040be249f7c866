// Finds the distinct values of indexed columns with one index lookup per value (loose index scan).

/** A subquery for the distinct combinations of those columns. An index that starts with them must cover `where`. */
export function distinctOf(columns: readonly string[], table: string, where = 'true'): string {
  const names = columns.join(', ');
  const former = columns.map((column) => `each.${column}`).join(', ');
  return `(
    with recursive each as (
      (select ${names} from ${table} where ${where} order by ${names} limit 1)
      union all
      select next.* from each cross join lateral (
        select ${names} from ${table} where ${where} and (${names}) > (${former}) order by ${names} limit 1
      ) as next
    )
    select * from each
  )`;
}
