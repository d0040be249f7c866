// Whether the license of a transaction is a sandbox.
import type { Queries } from '../database/reader.ts';

export async function isSandbox(queries: Queries, licenseId: string): Promise<boolean> {
  const license = await queries
    .selectFrom('license')
    .select('is_sandbox')
    .where('id', '=', licenseId)
    .executeTakeFirst();
  return license?.is_sandbox === true;
}
