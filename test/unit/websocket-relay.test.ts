// How agents' WebSockets reach the bus, how they end, and what becomes of those that never open.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { busPath, BusRelay } from '../../src/bus/websocket-relay.ts';
import { serveUpgrades } from '../../src/contract/upgrades.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });
const closers: (() => unknown)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A relay to a bus of which only its connections are known. */
async function startRelay(connected: (socket: Socket) => void) {
  const bus = createServer((socket) => connected(socket.resume().on('error', () => undefined)));
  const relay = new BusRelay({ url: `nats://127.0.0.1:${await portOf(bus)}`, log });
  const server = createHttpServer();
  serveUpgrades({ server, take: (upgrade) => relay.take(upgrade, 'here'), log });
  return { relay, port: await portOf(server) };
}

const handshake = {
  Host: 'x',
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** The first line of the reply to a handshake with those headers, once the connection has ended. */
async function replyTo(port: number, changes: Record<string, string>): Promise<string> {
  const headers = Object.entries({ ...handshake, ...changes }).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(port, '127.0.0.1');
  socket.write([`GET ${busPath} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  await new Promise((resolve) => void socket.once('close', resolve));
  return text.split('\r\n')[0] ?? '';
}

it('tells agents that the server goes away, and ends those that do not reply', async () => {
  const { relay, port } = await startRelay(() => undefined);
  const url = `ws://127.0.0.1:${port}${busPath}`;
  const [replying, mute] = [new WebSocket(url), new WebSocket(url)];
  mute.on('error', () => undefined);
  await Promise.all([once(replying, 'open'), once(mute, 'open')]);
  mute.pause();
  const closed = once(replying, 'close');
  await relay.close();
  const [code] = (await closed) as [number];
  expect(code).toBe(1001);
  mute.terminate();
});

it.each([
  ['no key', { 'Sec-WebSocket-Key': '' }],
  ['a short key', { 'Sec-WebSocket-Key': 'eA==' }],
  ['an old version', { 'Sec-WebSocket-Version': '7' }],
])('opens no connection to the bus for a handshake with %s', async (_name, changes) => {
  const connections: Socket[] = [];
  const { port } = await startRelay((socket) => connections.push(socket));
  for (let count = 0; count < 50; count += 1)
    expect(await replyTo(port, changes)).toBe('HTTP/1.1 400 Bad Request');
  expect(connections.length).toBe(0);
});

it('closes its connection to the bus when the library refuses the handshake', async () => {
  const connections: Socket[] = [];
  const { port } = await startRelay((socket) => connections.push(socket));
  for (let count = 0; count < 50; count += 1)
    expect(await replyTo(port, { 'Sec-WebSocket-Protocol': 'a,a' })).toBe('HTTP/1.1 400 Bad Request');
  await until(() => connections.length === 50 && connections.every(({ closed }) => closed));
});

it.each([
  ['opens', {}],
  ['is refused', { 'Sec-WebSocket-Protocol': 'a,a' }],
])('goes on when the bus resets the connection of a client that %s', async (_name, changes) => {
  const { port } = await startRelay((socket) => socket.resetAndDestroy());
  for (let count = 0; count < 20; count += 1) expect(await replyTo(port, changes)).toMatch(/^HTTP\/1\.1 /);
});
