// Finds the different values of indexed columns by a look into the index for each, however many rows have it.

/** A subquery with the values that those columns have together. An index that begins with them must know `where`. */
export function differentOf(columns: readonly string[], table: string, where = 'true'): string {
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
