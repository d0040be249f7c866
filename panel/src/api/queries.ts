// The cache of everything that was read.
import { QueryClient } from '@tanstack/react-query';
import { whileUnreachable } from './back-off.ts';

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 10 * 60_000,
      // The client retries what may pass, and the platform may be on this machine.
      retry: false,
      refetchInterval: whileUnreachable,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
