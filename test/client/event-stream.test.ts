// How the event stream of the client ends: at once for a mistake of the caller, which is not a lost connection, and when
// the caller aborts it; calls end likewise.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
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

/** Aborts after garbage collections, and returns once the connection has ended, too. */
async function abortLate(
  respond: RequestListener,
  start: (client: ReturnType<typeof createClient>, signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const server = createServer();
  const requested = once(server, 'request') as Promise<[IncomingMessage]>;
  server.on('request', respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const stop = new AbortController();
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}` });
    const outcome = start(client, stop.signal).catch((error: unknown) => error);
    const [{ socket }] = await requested;
    const closed = once(socket, 'close');
    // Several turns: the response arrives, and what is left behind goes in more than one collection.
    for (let turn = 0; turn < 15; turn++) {
      await new Promise(setImmediate);
      collect();
    }
    stop.abort(new Error('enough'));
    const [result] = await Promise.all([outcome, closed]);
    return result;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const silent: RequestListener = () => undefined;
const beginning =
  (type: string, text: string): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'Content-Type': type }).write(text);

it.each<[string, RequestListener]>([
  ['before a response', silent],
  ['between two events', beginning('text/event-stream', ': open\n\n')],
])('ends when its caller aborts it %s, also after a garbage collection', async (_when, respond) => {
  const outcome = await abortLate(respond, (client, signal) => client.events({ signal }).next());
  expect(outcome).toMatchObject({ message: 'enough' });
});

it.each<[string, RequestListener]>([
  ['before a response', silent],
  ['within its body', beginning('application/json', '{')],
])('calls end when their caller aborts them %s, also after a garbage collection', async (_when, respond) => {
  const outcome = await abortLate(respond, (client, signal) => client.GET('/api/fleet/clusters', { signal }));
  expect(outcome).toMatchObject({ message: 'enough' });
});

it('reports the cursor of the open stream, and again after a reconnection', async () => {
  const blocks = [
    'id: 1\nevent: ready\ndata: {}\n\nid: 2\nevent: host.connected\ndata: {}\n\nevent: reconnect\ndata: {}\n\nretry: 1\n\n',
    'id: 2\nevent: ready\ndata: {}\n\nid: 3\nevent: host.connected\ndata: {}\n\n',
  ];
  const asked: (string | null)[] = [];
  const client = createClient({
    baseUrl: 'http://localhost',
    fetch: ({ headers }) => {
      asked.push(headers.get('Last-Event-ID'));
      return Promise.resolve(
        new Response(`retry: 1\n\n${blocks[asked.length - 1] ?? ''}`, {
          headers: { 'Content-Type': 'text/event-stream' },
        }),
      );
    },
  });
  const stop = new AbortController();
  const seen: string[] = [];
  const onReady = (cursor: string) => seen.push(`ready ${cursor}`);
  for await (const { cursor } of client.events({ onReady, signal: stop.signal })) {
    seen.push(cursor);
    if (cursor === '3') break;
  }
  expect(asked).toEqual([null, '2']);
  expect(seen).toEqual(['ready 1', '2', 'ready 2', '3']);
});
