// Malformed WebSocket requests cost no more than their own connection.
import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { busPath } from '../../src/bus/websocket-relay.ts';
import { consolePath } from '../support/console-socket.ts';
import { someId } from '../support/contract.ts';
import { rawRequest } from '../support/http.ts';
import { startTestNats } from '../support/nats.ts';
import { World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  // The third request for an agent socket is refused.
  world = await World.create({ rateLimitFactor: 1 / 300 });
});

afterAll(async () => {
  await world.close();
});

const handshake = {
  Host: 'x',
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** Sends a WebSocket request, and resets the connection as soon as the bytes have left. */
async function requestAndReset(path: string): Promise<void> {
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  const headers = Object.entries(handshake).map(([name, value]) => `${name}: ${value}`);
  const text = [`GET ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n');
  socket.write(text, () => socket.resetAndDestroy());
  await closed;
}

it.each([
  ['agents', busPath],
  ['a console', consolePath(someId, 'invalid')],
  ['nothing', '/nowhere'],
])(
  'clients that reset their requests for the socket of %s leave the process running',
  async (_name, path) => {
    for (let count = 0; count < 20; count += 1) await requestAndReset(path);
    await world.call('get', '/healthz').expect(200);
  },
);

it('agents are not relayed to a bus without authentication, which is logged', async () => {
  const nats = await startTestNats({ isOpen: true });
  world.atEnd(() => nats.stop());
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const replica = await world.addReplica({
    bus: { ...nats, agentUrls: [nats.url] },
    allowOpenBus: true,
    roles: new Set(['api']),
    log,
  });
  const { status } = await rawRequest(replica.url ?? '', busPath, { headers: handshake });
  expect(status).toBe(404);
  expect(lines.filter((line) => line.includes('agents are not relayed'))).toHaveLength(1);
});
