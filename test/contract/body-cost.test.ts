// The cost of a rejected body: three operations get every kind of meaningless body, a sample of the others the first
// that breaks their own.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { pino } from 'pino';
import { documentFile } from '../../src/platform-contract/document-file.ts';
import { readDocument } from '../../src/contract/document.ts';
import { createContractRouter } from '../../src/contract/router.ts';
import { problems } from '../../src/platform-contract/problems.ts';
import { contract, operations, urlOf, type ContractOperation } from '../support/contract.ts';
import { sampleOf } from '../support/sample.ts';
import { parsingMs, threadMs } from '../support/thread-cost.ts';

/** A rejected body costs at most as much as parsing this many MiB of JSON. */
const maxParsings = 1.25;
let maxMs: number;
const mebibyte = 1024 * 1024;

/** Sends requests from a separate thread, so that only the server's work is measured. */
const clientSource = `
  const { parentPort } = require('node:worker_threads');
  const { request } = require('node:http');
  const send = ({ port, method, path, headers, body }, triesLeft) => {
    const bytes = Buffer.from(body);
    const sent = request({ port, method, path, headers: { ...headers, 'content-length': bytes.length }, agent: false });
    let status = 0;
    const done = () => parentPort.postMessage(status);
    sent.on('response', (response) => {
      status = response.statusCode;
      response.resume();
      response.on('close', () => { sent.destroy(); done(); });
    });
    sent.on('error', () => {
      if (status !== 0) return;
      // A server may close the connection before this busy thread has read the reply.
      if (triesLeft > 0) return send({ port, method, path, headers, body }, triesLeft - 1);
      status = -1;
      done();
    });
    sent.end(bytes);
  };
  parentPort.on('message', (message) => send(message, 2));
`;

let client: Worker;
let server: ReturnType<express.Express['listen']>;
let wasCarriedOut = false;

beforeAll(async () => {
  maxMs = maxParsings * (await parsingMs());
  const document = readDocument(documentFile);
  const handlers = Object.fromEntries(
    operations.map(({ id }) => [
      id,
      async () => {
        wasCarriedOut = true;
        throw new Error('carried out');
      },
    ]),
  );
  const schemes = Object.keys(contract.components.securitySchemes).map((name) => [name, async () => ({})]);
  const router = createContractRouter({
    document,
    handlers,
    problems,
    security: {
      schemes: Object.fromEntries(schemes) as never,
      authorize: () => undefined,
      confirm: () => Promise.resolve(),
      anonymous: {},
    },
    createContext: () => ({}),
    run: (_ctx, _operation, work) => work(),
    idempotency: undefined,
    limits: undefined,
    validateReplies: false,
    bodyLimit: mebibyte,
    log: pino({ level: 'silent' }),
  });
  const app = express();
  app.set('query parser', 'simple');
  app.post('/only-read', (request, response) => request.resume().once('end', () => response.end()));
  app.use(router.serve);
  server = app.listen(0);
  await once(server, 'listening');
  client = new Worker(clientSource, { eval: true });
});

afterAll(async () => {
  await client.terminate();
  server.closeAllConnections();
  server.close();
});

/** Passing them to the client copies nothing, because a copy would be measured too. */
const sharedBodies = new WeakMap<Buffer, SharedArrayBuffer>();

/** Bytes of leading space of a JSON text; its patterns make that many different bodies. */
const variantBytes = 16;
let variant = 0;

/** The body after new leading space, so that nothing cached of an earlier one helps. */
function variantOf(body: Buffer): SharedArrayBuffer {
  let shared = sharedBodies.get(body);
  if (shared === undefined) {
    shared = new SharedArrayBuffer(variantBytes + body.byteLength);
    Buffer.from(shared).set(body, variantBytes);
    sharedBodies.set(body, shared);
  }
  variant += 1;
  const bits = variant.toString(2).padStart(variantBytes, '0');
  Buffer.from(shared).write(bits.replaceAll('0', ' ').replaceAll('1', '\n'));
  return shared;
}

const send = (operation: ContractOperation, body: Buffer, headers: object = {}) =>
  sendTo(urlOf(operation), body, { method: operation.method.toUpperCase(), headers });

async function sendTo(
  path: string,
  body: Buffer,
  { method = 'POST', headers = {} }: { method?: string; headers?: object } = {},
): Promise<number> {
  const { port } = server.address() as AddressInfo;
  client.postMessage({
    port,
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: 'content-encoding' in headers ? new Uint8Array(body) : variantOf(body),
  });
  const [status] = (await once(client, 'message')) as [number];
  return status;
}

/** As many pieces as fit. */
function filled(limit: number, start: string, piece: string, end: string): Buffer {
  const count = Math.floor((limit - start.length - end.length - piece.length) / (piece.length + 1));
  return Buffer.from(`${start}${`${piece},`.repeat(count)}${piece}${end}`);
}

/** An object with as many fields as fit. */
function manyFields(limit: number): Buffer {
  const names = Array.from({ length: Math.floor(limit / 13) }, (_, index) => `"${index + 10_000_000}":0`);
  return Buffer.from(`{${names.join(',')}}`);
}

const made = new Map<number, [name: string, body: Buffer][]>();

/** Bodies of that size without any meaning to an operation. */
function senselessBodies(limit: number): [name: string, body: Buffer][] {
  let bodies = made.get(limit);
  if (bodies === undefined) {
    bodies = [
      ['zeros', filled(limit, '[', '0', ']')],
      ['lists', filled(limit, '[', '[]', ']')],
      ['nesting', Buffer.from('['.repeat(limit))],
      ['fields', manyFields(limit)],
      ['one field twice', filled(limit, '{', '"a":0', '}')],
      ['text', Buffer.from(`"${'a'.repeat(limit - 2)}"`)],
      ['escapes', Buffer.from(`"${'\\'.repeat(limit - (limit % 2) - 2)}"`)],
      ['space', Buffer.from(' '.repeat(limit))],
    ];
    made.set(limit, bodies);
  }
  return bodies;
}

/** Bodies that begin like the operation's own. */
function spoiledBodies({ body }: ContractOperation, limit: number): [name: string, body: Buffer][] {
  const [example] = body?.types.find(({ type }) => type === 'application/json')?.examples ?? [];
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return [];
  return [
    ['an unknown field', { ...example, unknown_field: 0 }, 'unknown_field'] as const,
    ...Object.keys(example).map((name) => [`much in ${name}`, example, name] as const),
  ].flatMap(([name, value, field]): [string, Buffer][] => {
    const mark = '"@@"';
    const text = JSON.stringify({ ...value, [field]: '@@' });
    const [start = '', end = ''] = [
      text.slice(0, text.indexOf(mark)),
      text.slice(text.indexOf(mark) + mark.length),
    ];
    return [
      [`${name}: zeros`, filled(limit, `${start}[`, '0', `]${end}`)],
      [`${name}: text`, Buffer.from(`${start}"${'a'.repeat(limit - start.length - end.length - 2)}"${end}`)],
    ];
  });
}

const withJson = operations.filter(({ body }) => body?.types.some(({ type }) => type === 'application/json'));

/** Bodies that cost too much, or that are neither accepted nor rejected as the caller's error. */
async function faultsOf(
  operation: ContractOperation,
  bodies: [string, Buffer][],
  allowedMs: number,
): Promise<string[]> {
  const found: string[] = [];
  let refusalCount = 0;
  for (const [name, body] of bodies) {
    wasCarriedOut = false;
    const statuses = new Set<number>();
    const ms = await threadMs(async () => statuses.add(await send(operation, body)), allowedMs);
    if (wasCarriedOut) continue;
    refusalCount += 1;
    if (ms > allowedMs) found.push(`${operation.id}, ${name}: ${ms.toFixed(1)} ms`);
    for (const status of statuses)
      if (status < 400 || status > 499) found.push(`${operation.id}, ${name}: status ${status}`);
  }
  if (refusalCount === 0) found.push(`${operation.id} refuses none of its bodies`);
  return found;
}

/** Receiving bytes has a minimum cost; one copy of them may cost as much again. */
async function allowedFor(limit: number): Promise<number> {
  const body = Buffer.alloc(limit, 'a');
  return Math.max(maxMs, 4 * (await threadMs(() => sendTo('/only-read', body))));
}

it.each([
  ['signIn', mebibyte],
  ['writeFile', 2 * mebibyte],
  ['importConfiguration', 8 * mebibyte],
])(
  '%s rejects bodies of every kind cheaply',
  async (id, limit) => {
    const operation = withJson.find((candidate) => candidate.id === id);
    if (operation === undefined) throw new Error(`there is no operation ${id}`);
    expect(operation.bodyLimit).toBe(limit);
    const size = limit - variantBytes;
    const bodies = [...senselessBodies(size), ...spoiledBodies(operation, size)];
    expect(await faultsOf(operation, bodies, await allowedFor(limit))).toEqual([]);
  },
  120_000,
);

it('a rejected body costs little of the main thread for any operation', async () => {
  const found: string[] = [];
  const sample = sampleOf(
    'operations with a body',
    withJson.filter(({ bodyLimit }) => bodyLimit <= mebibyte),
    { step: 3, labelOf: ({ id }) => id },
  );
  for (const operation of sample) {
    const size = operation.bodyLimit - variantBytes;
    const [first, second] = spoiledBodies(operation, size);
    const bodies = first === undefined || second === undefined ? senselessBodies(size) : [first, second];
    found.push(...(await faultsOf(operation, bodies, maxMs)));
  }
  expect(found).toEqual([]);
});

it('one of eight megabytes takes little more than receiving it', async () => {
  const limit = 8 * mebibyte;
  const allowedMs = await allowedFor(limit);
  const found: string[] = [];
  for (const operation of withJson.filter(({ bodyLimit }) => bodyLimit > 2 * mebibyte)) {
    const bodies = spoiledBodies(operation, operation.bodyLimit - variantBytes).slice(0, 1);
    found.push(...(await faultsOf(operation, bodies, allowedMs)));
  }
  expect(found).toEqual([]);
});

it('no body is decompressed', async () => {
  const bomb = gzipSync(Buffer.from(`[${'0,'.repeat(mebibyte / 2 - 2)}0]`));
  for (const operation of withJson) {
    for (const encoding of operation.id === 'signIn' ? ['gzip', 'deflate', 'br', 'gzip, gzip'] : ['gzip']) {
      const ms = await threadMs(async () => {
        const status = await send(operation, bomb, { 'content-encoding': encoding });
        expect([operation.id, status]).toEqual([operation.id, 415]);
      }, maxMs);
      expect([operation.id, ms <= maxMs]).toEqual([operation.id, true]);
    }
  }
});
