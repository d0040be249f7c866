// Requests that Node's HTTP parser refuses: each gets a whole problem, or none where it would belong to another request.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { refuseUnparsed } from '../../src/contract/unparsed-requests.ts';
import { problems } from '../../src/platform-contract/problems.ts';
import { expectProblem } from '../support/problems.ts';

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((closed) => server?.close(closed) ?? closed(undefined));
});

const ok: RequestListener = (_request, response) => void response.end('ok');

async function open(serve: RequestListener = ok, options: ServerOptions = {}): Promise<Socket> {
  server = createServer({ keepAliveTimeout: 60_000, ...options }, serve).listen(0, '127.0.0.1');
  refuseUnparsed({ server, problems, log: pino({ level: 'silent' }) });
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** All that the server sends until it closes the connection. */
async function exchange(socket: Socket, sent: string): Promise<string> {
  socket.write(sent);
  return text(socket);
}

function expectRefusal(received: string, wanted: { status: number; code: string }): void {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]),
  ) as Record<string, string>;
  expect(statusLine).toMatch(new RegExp(`^HTTP/1.1 ${wanted.status} [A-Z]`));
  expect(headers).toMatchObject({
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
  });
  expectProblem({ status: wanted.status, headers, body: JSON.parse(body) as unknown, text: body }, wanted);
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n';
const post = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

it.each([
  ['headers of more than 16 KiB', `${get}X-Padding: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['far larger headers', `${get}X-Padding: ${'x'.repeat(4_000_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['a target of more than 16 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 'headers_too_large'],
  ['a method that HTTP does not know', 'FLY / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
  ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
  ['a header without a colon', `${get}nonsense\r\n\r\n`, 400, 'malformed_request'],
  ['two lengths', `${get}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'malformed_request'],
  ['a chunk without a size', `${post}nonsense\r\n`, 400, 'malformed_request'],
  ['large chunk extensions', `${post}1;${'x'.repeat(20_000)}\r\n`, 413, 'payload_too_large'],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
])('%s', async (_what, sent, status, code) => {
  // Reads the body and never responds, as an operation does whose body is incomplete.
  const socket = await open((request) => void request.on('error', () => undefined).resume());
  expectRefusal(await exchange(socket, sent), { status, code });
});

it('headers that do not arrive in time', async () => {
  const socket = await open(ok, { headersTimeout: 20, requestTimeout: 0, connectionsCheckingInterval: 20 });
  expectRefusal(await exchange(socket, get), { status: 408, code: 'request_timeout' });
});

it('a request after another one on the same connection', async () => {
  const socket = await open();
  socket.write(`${get}\r\n`);
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
  expectRefusal(await exchange(socket, 'nonsense\r\n\r\n'), { status: 400, code: 'malformed_request' });
});

it('sends none that the client would take for the response to an earlier request', async () => {
  const socket = await open(() => undefined);
  expect(await exchange(socket, `${get}\r\nnonsense\r\n\r\n`)).toBe('');
});

it('sends none within a response', async () => {
  const socket = await open((request, response) => {
    request.on('error', () => undefined).resume();
    response.write('begun');
  });
  socket.write(post);
  await once(socket, 'data');
  expect(await exchange(socket, 'nonsense\r\n')).toBe('');
});

it('closes the connection of a client that keeps sending', async () => {
  const socket = await open();
  // It does not close its half when the server has closed the other one.
  socket.allowHalfOpen = true;
  socket.on('error', () => undefined).resume();
  const sending = setInterval(() => socket.write('nonsense\r\n'), 50).unref();
  await new Promise((closed) => socket.once('close', closed));
  clearInterval(sending);
  expect(socket.destroyed).toBe(true);
});

it('serves a request with an unknown expectation', async () => {
  const socket = await open();
  expect(await exchange(socket, `${get}Connection: close\r\nExpect: a-miracle\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 200 /,
  );
});
