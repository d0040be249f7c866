// How long a request may take to arrive: as long as its body makes progress.
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { timeLimits, watchBodies } from '../../src/process/http-listener.ts';

const everyMs = 400;

let server: Server;

beforeEach(async () => {
  server = createServer({ ...timeLimits }, (request, response) => {
    request.resume();
    request.on('end', () => response.end('all of it'));
  });
  watchBodies(server, everyMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** An upload in progress, and its final status or error. */
function upload() {
  const { port } = server.address() as AddressInfo;
  const request = httpRequest({ port, host: '127.0.0.1', method: 'PUT', agent: false });
  const end = new Promise<number | string>((resolve) => {
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    request.on('error', ({ message }) => resolve(message));
  });
  return { request, end };
}

it('a body that makes progress may take as long as it needs', async () => {
  const { request, end } = upload();
  const untilMs = performance.now() + 4 * everyMs;
  while (performance.now() < untilMs) {
    request.write(Buffer.alloc(64 * 1024));
    await setTimeout(everyMs / 40);
  }
  request.end();
  expect(await end).toBe(200);
});

it('a body that stops is cut off', async () => {
  const { request, end } = upload();
  request.write('the beginning');
  expect(await end).toMatch(/socket hang up|ECONNRESET|EPIPE/);
});

it('a body that only trickles is cut off', async () => {
  const { request, end } = upload();
  const trickle = setInterval(() => request.write('x'), everyMs / 8);
  expect(await end).toMatch(/socket hang up|ECONNRESET|EPIPE/);
  clearInterval(trickle);
});

it('no request is ended for its duration, but slow headers are', () => {
  expect(server.requestTimeout).toBe(0);
  expect(server.headersTimeout).toBe(20_000);
});
