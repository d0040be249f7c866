// How agents' WebSockets reach the bus, how they end, and the limits before they are accepted.
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

/** A relay to a bus that only accepts connections. */
async function startRelay(connected: (socket: Socket) => void, onAccepted = () => {}) {
  const bus = createServer((socket) => connected(socket.resume().on('error', () => undefined)));
  const relay = new BusRelay({ url: `nats://127.0.0.1:${await portOf(bus)}`, log });
  const server = createHttpServer();
  serveUpgrades({ server, take: (upgrade) => relay.take(upgrade, 'here', onAccepted), log });
  const clients: Socket[] = [];
  server.on('connection', (socket) => clients.push(socket));
  return { relay, clients, port: await portOf(server) };
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

it('notifies agents that the server is going away, and ends those that do not reply', async () => {
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
])('survives when the bus resets the connection of a client that %s', async (_name, changes) => {
  const { port } = await startRelay((socket) => socket.resetAndDestroy());
  for (let count = 0; count < 20; count += 1) expect(await replyTo(port, changes)).toMatch(/^HTTP\/1\.1 /);
});

/** A client that writes raw bytes on its open WebSocket's connection. */
async function openRaw(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  closers.push(() => socket.destroy());
  const headers = Object.entries(handshake).map(([name, value]) => `${name}: ${value}`);
  socket.write([`GET ${busPath} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  await once(socket, 'data');
  return socket.setNoDelay();
}

/** The beginning of a frame of 15 MiB. */
const frameStart = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0xf0, 0, 0, 0, 0, 0, 0]);
const greeting = 'INFO {"max_payload":1048576}\r\n';

describe('a client that the bus has not accepted', () => {
  it('is ended before much of a large frame is buffered', async () => {
    const connections: Socket[] = [];
    const { clients, port } = await startRelay((socket) => connections.push(socket));
    for (let count = 0; count < 20; count += 1) {
      const socket = await openRaw(port);
      const closed = new Promise((resolve) => void socket.once('close', resolve));
      socket.write(frameStart);
      for (let part = 0; part < 15; part += 1) socket.write(Buffer.alloc(1024 * 1024));
      await closed;
    }
    expect(clients).toHaveLength(20);
    // As much as is read at once, beyond the allowed 16 KiB.
    for (const { bytesRead } of clients) expect(bytesRead).toBeLessThan(256 * 1024);
    await until(() => connections.every(({ closed }) => closed));
  });

  it('is ended when it sends its bytes one by one', async () => {
    const { clients, port } = await startRelay(() => undefined);
    const socket = await openRaw(port);
    const closed = new Promise((resolve) => void socket.once('close', resolve));
    const sendOne = () => {
      if (!socket.destroyed) socket.write('x', () => setImmediate(sendOne));
    };
    socket.write(frameStart);
    sendOne();
    await closed;
    expect(clients[0]?.bytesRead).toBeLessThan(16 * 1024);
  });

  it.each([
    ['refuses it', `${greeting}-ERR 'Authorization Violation'\r\n`],
    ['has only greeted it', greeting],
  ])('stays unaccepted when the bus %s', async (_name, reply) => {
    const onAccepted = jest.fn();
    const { port } = await startRelay((socket) => socket.write(reply), onAccepted);
    const socket = await openRaw(port);
    const closed = new Promise((resolve) => void socket.once('close', resolve));
    socket.write(frameStart);
    socket.write(Buffer.alloc(64 * 1024));
    await closed;
    expect(onAccepted).not.toHaveBeenCalled();
  });

  it('is one of at most 250 of its source', async () => {
    const { port } = await startRelay(() => undefined);
    const sockets = await Promise.all(Array.from({ length: 250 }, () => openRaw(port)));
    expect(await replyTo(port, {})).toBe('HTTP/1.1 429 Too Many Requests');
    const [first] = sockets;
    if (first) await new Promise((resolve) => void first.once('close', resolve).destroy());
    await until(async () => (await openRaw(port)).readable);
  });
});

it.each([
  ['PONG', [greeting, 'PONG\r\n']],
  ['+OK', [`${greeting}+OK\r\n`]],
  ['parts', ['INFO {', '}\r', '\nP', 'ON', 'G\r\n']],
])('an accepted client with %s may send large frames', async (_name, replies) => {
  let received = 0;
  const accepted = Promise.withResolvers<void>();
  const { port } = await startRelay((socket) => {
    socket.setNoDelay().on('data', ({ length }: Buffer) => (received += length));
    for (const reply of replies) socket.write(reply);
  }, accepted.resolve);
  const client = new WebSocket(`ws://127.0.0.1:${port}${busPath}`);
  await once(client, 'open');
  await accepted.promise;
  client.send(Buffer.alloc(3 * 1024 * 1024));
  await until(() => received === 3 * 1024 * 1024);
  client.terminate();
});
