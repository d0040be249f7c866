// Filters that several lists share.
import { sql } from 'kysely';

/** The `ilike` pattern for texts that contain this one. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Matches rows whose timestamp in that column lies within the query's range. */
export function createdWithin(
  column: string,
  { created_from = '-infinity', created_to = 'infinity' }: { created_from?: string; created_to?: string },
) {
  const created = sql.ref(column);
  return sql<boolean>`${created} >= ${created_from}::timestamptz and ${created} < ${created_to}::timestamptz`;
}
