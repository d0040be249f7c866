// Whether the license of a transaction is a sandbox.
import type { Queries } from '../database/reader.ts';
import { DomainError } from '../errors.ts';

export async function isSandbox(queries: Queries, licenseId: string): Promise<boolean> {
  const license = await queries
    .selectFrom('license')
    .select('is_sandbox')
    .where('id', '=', licenseId)
    .executeTakeFirst();
  return license?.is_sandbox === true;
}

/** Anybody can create a sandbox, so nothing in it may reach, or take something from, the world outside. */
export async function refuseInSandbox(queries: Queries, licenseId: string, detail: string): Promise<void> {
  if (await isSandbox(queries, licenseId)) throw new DomainError('sandbox_refused', detail);
}
