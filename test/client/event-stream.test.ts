// A mistake of the caller ends the event stream of the client at once: it is not a lost connection.
import { createClient } from '../../client/src/index.ts';

it('refuses an address that no request can have, without a retry', async () => {
  let count = 0;
  const client = createClient({
    baseUrl: 'http://[',
    fetch: () => {
      count += 1;
      return Promise.reject(new TypeError('fetch failed'));
    },
  });
  await expect(client.events().next()).rejects.toThrow(/URL/);
  expect(count).toBe(0);
});
