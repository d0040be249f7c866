// The client of the platform's contract, with the session of this browser.
import { createClient } from '@gantry/client';
import { inTime } from './in-time.ts';
import { session } from '../session/session.ts';

export const client = createClient({
  baseUrl: window.location.origin,
  fetch: (request) => session.send(request, inTime(fetch)),
  retry: { retries: 2, maxWaitMs: 5_000 },
});
