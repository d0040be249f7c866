// Refuses whoever means a version of a configuration that is not the present one.
import { DomainError } from '../../errors.ts';

/** `expected` is null where the caller takes whatever there is. */
export function refuseStale(version: number, expected: number | null): void {
  if (expected !== null && expected !== version)
    throw new DomainError(
      'stale_version',
      `The configuration has been changed; it is at version ${version} now.`,
    );
}
