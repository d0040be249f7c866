// Filters that several lists share.
import { sql } from 'kysely';

/** Matches texts that contain this one, for `ilike`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Holds for rows whose time in that column lies within what the query asks for. */
export function createdWithin(
  column: string,
  { created_from = '-infinity', created_to = 'infinity' }: { created_from?: string; created_to?: string },
) {
  const created = sql.ref(column);
  return sql<boolean>`${created} >= ${created_from}::timestamptz and ${created} < ${created_to}::timestamptz`;
}
