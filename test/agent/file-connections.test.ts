// Data connections of the agent: nothing damaged or cut off is kept, and each attempt is bounded.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fromPublic } from '@nats-io/nkeys';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Schemas } from '../../agent/src/messages.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';

type Request = Partial<Schemas['FileRequest']>;
type Reply = Schemas['FileReply'];

const size = 3_000_000;
const content = randomBytes(size);
const sha256 = createHash('sha256').update(content).digest('hex');
const end = JSON.stringify({ v: 1, ok: true, size, sha256 });

const sockets = new WebSocketServer({ noServer: true });
let stage: Stage;
let root: string;
/** Handles the next connections of the agent. */
let take: (socket: WebSocket) => void;
/** The status of attempts that are refused first. */
let refusals: string[] = [];
let attempts: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  stage = await Stage.open();
  root = join(stage.agent.directory, 'root');
  mkdirSync(root);
  writeFileSync(join(root, 'large'), content);
  stage.agent.configure([{ root }]);
  stage.platform.onUpgrade((request, socket: Duplex, head) => {
    attempts.push(request.headers);
    const refused = refusals.shift();
    if (refused === undefined) sockets.handleUpgrade(request, socket, head, (opened) => take(opened));
    else socket.end(`HTTP/1.1 ${refused}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  await stage.startAgent();
});
afterAll(() => stage.close());
beforeEach(() => {
  [refusals, attempts] = [[], []];
});

const ask = (verb: string, question: Request): Promise<Reply> =>
  stage.platform.request('FileReply', `ask.file-${verb}`, {
    v: 1,
    host_id: stage.platform.hostId,
    instance: 'main',
    ...question,
  });

async function begun(verb: 'upload' | 'download', path: string): Promise<{ transfer: string }> {
  const { transfer = '' } = await ask(verb, { path });
  return { transfer };
}

const leftovers = () => readdirSync(root).filter((name) => name.startsWith('.gantry-'));

const untilTidy = () => until(() => leftovers().length === 0, 'the removal of unfinished files');

const connect = (transfer: { transfer: string }, ticket = 'a-ticket') =>
  ask('connect', { ...transfer, ticket });

function sendAll(socket: WebSocket, bytes: Buffer, last: object | string): void {
  for (let start = 0; start < bytes.byteLength; start += 100_000)
    socket.send(bytes.subarray(start, start + 100_000));
  socket.send(typeof last === 'string' ? last : JSON.stringify({ v: 1, ok: true, ...last }));
}

/** Messages of the agent, texts as strings, until it closes the connection. */
function collecting(socket: WebSocket): Promise<(Buffer | string)[]> {
  const messages: (Buffer | string)[] = [];
  socket.on('message', (message: Buffer, isBinary) => messages.push(isBinary ? message : message.toString()));
  return new Promise((resolve) => void socket.once('close', () => resolve(messages)));
}

const textsIn = (messages: (Buffer | string)[]) =>
  messages.filter((message) => typeof message === 'string').map((text) => JSON.parse(text) as Reply);

describe('an upload', () => {
  it('is written when all of it has arrived, and appears when it is finished', async () => {
    const confirmed = Promise.withResolvers<unknown>();
    take = (socket) => {
      socket.once('message', (message: Buffer) => confirmed.resolve(JSON.parse(message.toString())));
      sendAll(socket, content, end);
    };
    const transfer = await begun('upload', 'uploaded');
    expect(await connect(transfer)).toEqual({ v: 1, ok: true });
    expect(await confirmed.promise).toEqual({ v: 1, ok: true, size, sha256 });
    expect(existsSync(join(root, 'uploaded'))).toBe(false);
    expect(await ask('finish', { ...transfer, size, sha256 })).toMatchObject({ ok: true });
    expect(readFileSync(join(root, 'uploaded')).equals(content)).toBe(true);
    await untilTidy();
  });

  it.each([
    ['another checksum', { size, sha256: '0'.repeat(64) }, 'checksum'],
    ['another length', { size: size + 1, sha256 }, 'checksum'],
    ['an invalid end', { extra: true }, 'invalid'],
  ])('with %s is refused and removed', async (_what, last, code) => {
    const messages = Promise.withResolvers<(Buffer | string)[]>();
    take = (socket) => {
      void collecting(socket).then(messages.resolve);
      sendAll(socket, content, last);
    };
    const transfer = await begun('upload', 'damaged');
    await connect(transfer);
    expect(textsIn(await messages.promise)).toMatchObject([{ ok: false, error: { code } }]);
    await untilTidy();
    expect(await ask('finish', { ...transfer, size, sha256 })).toMatchObject({
      error: { code: 'unknown_transfer' },
    });
    expect(existsSync(join(root, 'damaged'))).toBe(false);
  });

  it.each([
    [
      'breaks off',
      (socket: WebSocket) => socket.send(content.subarray(0, 900_000), () => socket.terminate()),
    ],
    [
      'ends before its end',
      (socket: WebSocket) => socket.send(content.subarray(0, 900_000), () => socket.close()),
    ],
    ['has a message of more than 1 MiB', (socket: WebSocket) => socket.send(content)],
  ])('that %s is removed at once', async (_what, work) => {
    take = work;
    await connect(await begun('upload', 'cut'));
    await untilTidy();
    expect(existsSync(join(root, 'cut'))).toBe(false);
  });

  it('whose transfer is ended closes the connection', async () => {
    const closed = Promise.withResolvers<unknown>();
    take = (socket) => {
      socket.once('close', closed.resolve);
      socket.send(content.subarray(0, 900_000));
    };
    const transfer = await begun('upload', 'ended');
    await connect(transfer);
    await ask('end', transfer);
    await closed.promise;
    await untilTidy();
  });
});

describe('a download', () => {
  it('sends the bytes, and then their length and checksum', async () => {
    const messages = Promise.withResolvers<(Buffer | string)[]>();
    take = (socket) => {
      void collecting(socket).then(messages.resolve);
      socket.on('message', (_message, isBinary) => {
        if (!isBinary) socket.close();
      });
    };
    const transfer = await begun('download', 'large');
    await connect(transfer);
    const received = await messages.promise;
    expect(Buffer.concat(received.filter((message) => typeof message !== 'string')).equals(content)).toBe(
      true,
    );
    expect(textsIn(received)).toEqual([{ v: 1, ok: true, size, sha256 }]);
    await ask('end', transfer);
  });
});

describe('a connection', () => {
  it('is opened with the ticket and its signature by the key of the host', async () => {
    take = (socket) => socket.terminate();
    await connect(await begun('download', 'large'), 'the-ticket');
    const [headers] = attempts;
    const publicKey = String(stage.platform.sessions.at(-1)?.['public_key']);
    const signature = Buffer.from(String(headers?.['gantry-signature']), 'base64url');
    expect(headers?.['gantry-ticket']).toBe('the-ticket');
    expect(fromPublic(publicKey).verify(Buffer.from('gantry-files.the-ticket'), signature)).toBe(true);
  });

  it('is attempted again at another replica', async () => {
    refusals = ['421 Misdirected Request', '421 Misdirected Request'];
    take = (socket) => socket.terminate();
    expect(await connect(await begun('download', 'large'))).toMatchObject({ ok: true });
    expect(attempts).toHaveLength(3);
  });

  it.each([
    ['four replicas', Array.from({ length: 9 }, () => '421 Misdirected Request'), 4],
    ['a proxy', ['400 Bad Request'], 1],
    ['a redirect', ['301 Moved\r\nLocation: http://127.0.0.1:1/'], 1],
  ])('that %s refuse leaves the transfer to parts over the bus', async (_who, statuses, count) => {
    refusals = [...statuses];
    const transfer = await begun('download', 'large');
    expect(await connect(transfer)).toMatchObject({ ok: false, error: { code: 'failed' } });
    expect(attempts).toHaveLength(count);
    expect(await ask('end', transfer)).toMatchObject({ ok: true });
  });

  it('is opened once for a transfer that exists', async () => {
    take = () => undefined;
    const transfer = await begun('upload', 'twice');
    expect(await connect(transfer)).toMatchObject({ ok: true });
    expect(await connect(transfer)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    await ask('end', transfer);
    expect(await connect(transfer)).toMatchObject({ error: { code: 'unknown_transfer' } });
    await untilTidy();
  });
});
