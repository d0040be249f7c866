// Continues in another license: nothing of the former one stays in the cache.
import { useQueryClient } from '@tanstack/react-query';
import { meReading } from '../api/me.ts';
import type { Schemas } from '../api/operations.ts';
import { forgetWork } from './drafts.ts';
import { session } from './session.ts';

export function useEnterLicense(): (switched: Schemas['LicenseSwitchResult']) => Promise<void> {
  const queries = useQueryClient();
  return async (switched) => {
    forgetWork();
    session.switchTo(switched);
    await queries.cancelQueries();
    // The frame needs the user at all times, so that entry is replaced and not removed.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== '/auth/me' });
    await queries.fetchQuery({ ...meReading(), staleTime: 0 });
  };
}
