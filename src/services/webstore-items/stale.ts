// Keeps somebody who edits the store from undoing what another has changed meanwhile.
import { DomainError } from '../../errors.ts';

export function refuseStale({ version }: { version: number }, expectedVersion: number | null): void {
  if (expectedVersion !== null && expectedVersion !== version)
    throw new DomainError('stale_version', `It has been changed; it is at version ${version} now.`);
}
