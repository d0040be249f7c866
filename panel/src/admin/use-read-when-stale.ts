// No event reports changes of the platform's own data, but a refused version does.
import { useEffect } from 'react';
import { hasCode } from '../api/problem.ts';

export function useReadWhenStale(error: Error | null, refetch: () => unknown): void {
  useEffect(() => {
    if (hasCode(error, 'stale_version')) void refetch();
  }, [error, refetch]);
}
