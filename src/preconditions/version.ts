// Keeps somebody who edits something from undoing what another has changed meanwhile.
import { DomainError } from '../errors.ts';

/** `expectedVersion` is null where the caller takes whatever there is. */
export function refuseStale(
  { version }: { version?: number },
  expectedVersion: number | null,
  what = 'It',
): void {
  if (expectedVersion !== null && expectedVersion !== version)
    throw new DomainError('stale_version', `${what} has been changed; it is at version ${version} now.`);
}
