// Version preconditions (If-Match), which keep concurrent edits from overwriting each other.
import { DomainError } from '../errors.ts';

/** `expectedVersions` is null if the caller accepts any version, and empty if none can match. */
export function refuseStale(
  { version = 0 }: { version?: number },
  expectedVersions: readonly number[] | null,
  what = 'It',
): void {
  if (expectedVersions === null || expectedVersions.includes(version)) return;
  throw new DomainError(
    'stale_version',
    expectedVersions.length > 0
      ? `${what} has been changed; it is at version ${version} now.`
      : `If-Match has no version that can match: send "${version}" for the current one, without W/.`,
  );
}
