// The client of the operations that take a host key.
import { createClient, type GantryClient } from '@gantry/client';
import { forgetHostKey, hostKey } from './host-key.ts';

export const clientWith = (key: string, onRefused: () => void = () => undefined): GantryClient =>
  createClient({
    baseUrl: window.location.origin,
    apiKey: key,
    retry: { retries: 2, maxWaitMs: 20_000 },
    fetch: async (request) => {
      const response = await fetch(request);
      if (response.status === 401) onRefused();
      return response;
    },
  });

/** With the key of the portal, which is forgotten once it is refused. */
export function hostClient(): GantryClient {
  const key = hostKey();
  return clientWith(key, () => {
    // The refusal of a former key says nothing about the present one.
    if (hostKey() === key) forgetHostKey({ refused: true });
  });
}
