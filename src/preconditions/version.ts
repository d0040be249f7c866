// Version preconditions (If-Match), which keep concurrent edits from overwriting each other.
import { DomainError } from '../errors.ts';

/** `expectedVersion` is null if the caller accepts any version. */
export function refuseStale(
  { version }: { version?: number },
  expectedVersion: number | null,
  what = 'It',
): void {
  if (expectedVersion !== null && expectedVersion !== version)
    throw new DomainError('stale_version', `${what} has been changed; it is at version ${version} now.`);
}
