// How an HTTP server stops: what is announced, what ends at once, and what may finish.
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Draining } from '../../src/process/drain.ts';
import { KeepAliveClient } from '../support/keep-alive-client.ts';

/** Longer than any test takes: an earlier end did not wait for it. */
const longMs = 60_000;

let server: Server;
let draining: Draining;
/** Requests that wait for `release`. */
let release: () => void;
let arrived: Promise<unknown>;

beforeEach(async () => {
  const released = new Promise<void>((resolve) => (release = resolve));
  server = createServer((request, response) => {
    if (request.url === '/begun') response.write('begun ');
    request.resume().on('end', () => {
      if (request.url === '/quick') response.end('quick');
      else void released.then(() => response.end('done'));
    });
  });
  arrived = once(server, 'request');
  draining = new Draining(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  release();
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;

const url = () => `http://127.0.0.1:${port()}`;

const ended = (socket: Socket) => once(socket.resume(), 'close');

it('responses keep their connection before the stop, and announce its end afterwards', async () => {
  const client = new KeepAliveClient(url());
  expect(await client.send({ method: 'GET', path: '/quick' })).toMatchObject({ connection: 'keep-alive' });
  draining.announce();
  expect(await client.send({ method: 'GET', path: '/quick' })).toMatchObject({ connection: 'close' });
  expect(await client.send({ method: 'GET', path: '/quick' })).toMatchObject({ connection: 'close' });
  expect(client.cut).toEqual([]);
});

it('a response that has not begun when the stop begins announces the end too', async () => {
  const client = new KeepAliveClient(url());
  const reply = client.send({ method: 'POST', path: '/slow', body: 'all of it' });
  await arrived;
  draining.announce();
  release();
  expect(await reply).toEqual({ status: 200, connection: 'close', text: 'done' });
});

it('idle connections end at once, including those without a request', async () => {
  const client = new KeepAliveClient(url());
  await client.send({ method: 'GET', path: '/quick' });
  const accepted = once(server, 'connection');
  const silent = connect(port(), '127.0.0.1').on('error', () => undefined);
  const silentEnds = ended(silent);
  await accepted;
  await Promise.all([draining.close(longMs), silentEnds]);
  client.close();
});

it('an upload in progress gets its response, and the stop waits no longer than for it', async () => {
  const upload = httpRequest({ port: port(), host: '127.0.0.1', path: '/slow', method: 'PUT', agent: false });
  const arrival = once(upload, 'response') as Promise<[IncomingMessage]>;
  upload.write('the beginning');
  await arrived;
  const closed = draining.close(longMs);
  expect(server.listening).toBe(false);
  upload.end('the end');
  release();
  const [response] = await arrival;
  expect(response.statusCode).toBe(200);
  expect(response.headers.connection).toBe('close');
  response.resume();
  await closed;
});

it('a response that has announced keep-alive does not delay the stop', async () => {
  const request = httpRequest({ port: port(), host: '127.0.0.1', path: '/begun' });
  request.setHeader('connection', 'keep-alive');
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.headers.connection).toBe('keep-alive');
  const closed = draining.close(longMs);
  release();
  response.resume();
  await closed;
});

it('a request beyond the time limit is cut off', async () => {
  const client = new KeepAliveClient(url());
  const reply = client.send({ method: 'GET', path: '/slow' });
  await arrived;
  await draining.close(50);
  expect(await reply).toBeUndefined();
  expect(client.cut).toHaveLength(1);
});
