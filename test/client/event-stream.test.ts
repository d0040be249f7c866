// How the event stream of the client ends: at once for a mistake of the caller, which is not a lost connection, and when
// the caller aborts it.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

it.each<[string, RequestListener]>([
  ['before a response', () => undefined],
  [
    'between two events',
    (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': open\n\n'),
  ],
])('ends when its caller aborts it %s, also after a garbage collection', async (_when, respond) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const server = createServer();
  const requested = once(server, 'request');
  server.on('request', respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const stop = new AbortController();
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}` });
    const next = client.events({ signal: stop.signal }).next();
    await requested;
    // Several turns: the response arrives, and what is left behind goes in more than one collection.
    for (let turn = 0; turn < 15; turn++) {
      await new Promise(setImmediate);
      collect();
    }
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
