// Data connections of file transfers, with an agent that a test drives: tickets, lengths, checksums and interruptions.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fromSeed } from '@nats-io/nkeys';
import { WebSocket } from 'ws';
import type { components } from '../../generated/platform.d.ts';
import { filesPath } from '../../src/sockets/data-gateway.ts';
import { createAgentKey, TestAgent, type AgentKey } from '../support/agent.ts';
import { createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';
import { until } from '../support/until.ts';

type Problem = components['schemas']['Problem'];

const size = 3 * 1024 * 1024;
const content = randomBytes(size);
const sha256 = createHash('sha256').update(content).digest('hex');
const entry = { name: 'large', kind: 'file', size, modified_at: new Date().toISOString() };

let world: World;
let tenant: Tenant;
let agent: TestAgent;
let files: string;
/** What the agent was asked, in order. */
let asked: string[] = [];
/** Handles the next request for a connection and returns the reply. */
let connect: (ticket: string) => Promise<object>;
/** What arrived in parts. */
let parts: Buffer[] = [];

const ok = { v: 1, ok: true };
const refusal = (code: string) => ({ v: 1, ok: false, error: { code, detail: 'No.' } });

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  agent = await TestAgent.connect(world, tenant);
  const instanceId = await createInstance(world, tenant, { host_id: agent.hostId });
  files = `${world.url}/api/instances/${instanceId}/files`;
  const replies: Record<string, (request: Record<string, unknown>) => object | Promise<object>> = {
    'file-upload': () => ({ ...ok, transfer: randomUUID(), size: 0 }),
    'file-download': () => ({ ...ok, transfer: randomUUID(), size }),
    'file-connect': ({ ticket }) => connect(String(ticket)),
    'file-finish': () => ({ ...ok, entry }),
    'file-end': () => ok,
  };
  agent.connection.subscribe(agent.subject('ask.*'), {
    callback: (_error, message) => {
      const verb = message.subject.split('.').at(-1) ?? '';
      asked.push(verb);
      if (verb === 'file-chunk') message.respond(chunkReply(message.data));
      else
        void Promise.resolve(replies[verb]?.(message.json()) ?? refusal('invalid')).then((reply) =>
          message.respond(JSON.stringify(reply)),
        );
    },
  });
});
afterAll(() => world.close());
beforeEach(() => {
  [asked, parts] = [[], []];
});

/** Takes a part of an upload, or returns one of a download. */
function chunkReply(data: Uint8Array): Buffer {
  const end = data.indexOf(10);
  const { seq } = JSON.parse(Buffer.from(data.subarray(0, end)).toString()) as { seq: number };
  const bytes = Buffer.from(data.subarray(end + 1));
  parts.push(bytes);
  const start = seq * 256 * 1024;
  const isLast = start + 256 * 1024 >= size;
  const line = JSON.stringify({ ...ok, seq, ...(bytes.byteLength === 0 && isLast && { sha256 }) });
  const part = bytes.byteLength === 0 ? content.subarray(start, start + 256 * 1024) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from(`${line}\n`), part]);
}

function dial(
  ticket: string,
  { key = agent.key, url = world.url }: { key?: AgentKey; url?: string } = {},
): WebSocket {
  const signature = Buffer.from(fromSeed(key.seed).sign(Buffer.from(`gantry-files.${ticket}`)));
  const socket = new WebSocket(`${url.replace('http', 'ws')}${filesPath}`, {
    headers: { 'gantry-ticket': ticket, 'gantry-signature': signature.toString('base64url') },
  });
  socket.on('error', () => undefined);
  return socket;
}

/** The status of the response to an attempt to connect. */
function statusOf(socket: WebSocket): Promise<number | undefined> {
  return new Promise((resolve) => {
    socket.once('upgrade', ({ statusCode }) => resolve(statusCode));
    socket.once('unexpected-response', (_request, { statusCode }) => {
      resolve(statusCode);
      socket.terminate();
    });
  });
}

/** Connects, and runs the work in the background. */
function connecting(work: (socket: WebSocket) => unknown): (ticket: string) => Promise<object> {
  return async (ticket) => {
    const socket = dial(ticket);
    await once(socket, 'open');
    void work(socket);
    return ok;
  };
}

const headers = () => ({ authorization: `Bearer ${tenant.owner.token}` });

async function upload(): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${files}/upload?path=large`, {
    method: 'PUT',
    headers: { ...headers(), 'content-type': 'application/octet-stream' },
    body: content,
  });
  return { status: response.status, body: await response.json() };
}

/** Returns the received bytes; undefined if the download was not complete. */
async function download(): Promise<Buffer | undefined> {
  const response = await fetch(`${files}/download?path=large`, { headers: headers() }).catch(() => undefined);
  if (response?.ok !== true) return undefined;
  return response.arrayBuffer().then(
    (bytes) => Buffer.from(bytes),
    () => undefined,
  );
}

const codeOf = ({ body }: { body: unknown }) => (body as Problem).code;

/** Takes an upload, and confirms it. */
function receiving(socket: WebSocket, reply: object = { ...ok, size, sha256 }): void {
  const arrived: Buffer[] = [];
  socket.on('message', (message: Buffer, isBinary) => {
    if (isBinary) {
      arrived.push(message);
      return;
    }
    expect(JSON.parse(message.toString())).toEqual({ ...ok, size, sha256 });
    expect(Buffer.concat(arrived).equals(content)).toBe(true);
    socket.send(JSON.stringify(reply));
  });
}

function sending(socket: WebSocket, bytes = content, end: object = { ...ok, size, sha256 }): void {
  for (let start = 0; start < bytes.byteLength; start += 500_000)
    socket.send(bytes.subarray(start, start + 500_000));
  socket.send(JSON.stringify(end));
}

describe('a data connection', () => {
  it('carries an upload, which is finished over the bus', async () => {
    connect = connecting((socket) => receiving(socket));
    expect(await upload()).toMatchObject({ status: 200, body: { size, sha256 } });
    expect(asked).toEqual(['file-upload', 'file-connect', 'file-finish']);
  });

  it('carries a download', async () => {
    connect = connecting((socket) => sending(socket));
    expect((await download())?.equals(content)).toBe(true);
    expect(asked).not.toContain('file-chunk');
  });

  it('is closed when the client leaves', async () => {
    const closed = Promise.withResolvers<unknown>();
    connect = connecting((socket) => {
      socket.send(content.subarray(0, 500_000));
      socket.send(content.subarray(0, 500_000));
      socket.once('close', closed.resolve);
    });
    const leaving = new AbortController();
    const response = await fetch(`${files}/download?path=large`, {
      headers: headers(),
      signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    leaving.abort();
    await closed.promise;
  });
});

describe('a ticket', () => {
  it('opens one connection, for the host with its key only', async () => {
    const statuses: (number | undefined)[] = [];
    const otherAgent = await TestAgent.connect(world, tenant);
    const tampered = (ticket: string) => {
      const [claims = '', signature] = ticket.split('.');
      const other = {
        ...JSON.parse(Buffer.from(claims, 'base64url').toString()),
        transfer: randomUUID(),
      } as object;
      return `${Buffer.from(JSON.stringify(other)).toString('base64url')}.${signature}`;
    };
    connect = async (ticket) => {
      statuses.push(
        await statusOf(dial(ticket, { key: otherAgent.key })),
        await statusOf(dial(ticket, { key: createAgentKey() })),
        await statusOf(dial(tampered(ticket))),
        await statusOf(dial('forged.ticket')),
        await statusOf(dial('')),
      );
      const socket = dial(ticket);
      await once(socket, 'open');
      sending(socket);
      statuses.push(await statusOf(dial(ticket)));
      return ok;
    };
    expect((await download())?.equals(content)).toBe(true);
    // The last attempt may outlast the transfer.
    await until(() => statuses.length === 6, 'the last refusal');
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401]);
  });

  it('opens nothing once its transfer continues without it', async () => {
    let late = '';
    connect = async (ticket) => {
      late = ticket;
      return ok;
    };
    expect((await download())?.equals(content)).toBe(true);
    expect(asked).toContain('file-chunk');
    expect(await statusOf(dial(late))).toBe(401);
  });

  it('is for one replica; others respond with 421', async () => {
    const { url = '' } = await world.addReplica({ roles: new Set(['api']) });
    const statuses: (number | undefined)[] = [];
    connect = async (ticket) => {
      statuses.push(await statusOf(dial(ticket, { url })));
      const socket = dial(ticket);
      await once(socket, 'open');
      sending(socket);
      return ok;
    };
    expect((await download())?.equals(content)).toBe(true);
    expect(statuses).toEqual([421]);
  });

  it('of a host without a license is refused', async () => {
    const statuses: (number | undefined)[] = [];
    connect = async (ticket) => {
      await world.database.query("update license set status = 'revoked' where id = $1", [tenant.license.id]);
      statuses.push(await statusOf(dial(ticket)));
      await world.database.query("update license set status = 'active' where id = $1", [tenant.license.id]);
      return ok;
    };
    expect((await download())?.equals(content)).toBe(true);
    expect(statuses).toEqual([401]);
  });
});

describe('an upload', () => {
  const anEnd = (reply: object) =>
    connecting((socket) => socket.once('message', () => socket.send(JSON.stringify(reply))));

  it.each([
    ['refuses it', anEnd(refusal('disk_full')), 'disk_full'],
    ['sends an invalid reply', anEnd({ v: 2 }), 'agent_refused'],
    ['sends bytes', connecting((socket) => socket.send(content.subarray(0, 100))), 'agent_refused'],
    ['breaks off', connecting((socket) => socket.once('message', () => socket.terminate())), 'agent_offline'],
    [
      'finds another checksum',
      connecting((socket) => receiving(socket, refusal('checksum'))),
      'checksum_mismatch',
    ],
  ])('fails when the agent %s, and is not finished', async (_what, open, code) => {
    connect = open;
    expect(codeOf(await upload())).toBe(code);
    expect(asked).toContain('file-end');
    expect(asked).not.toContain('file-finish');
  });
});

describe('a download', () => {
  it.each([
    ['fewer bytes', content.subarray(0, size - 1), { size, sha256 }],
    ['more bytes', Buffer.concat([content, Buffer.from('x')]), { size, sha256 }],
    ['another length at the end', content, { size: size - 1, sha256 }],
    ['other bytes', Buffer.from(content).fill((content[size - 1] ?? 0) ^ 1, size - 1), { size, sha256 }],
    ['no checksum', content, { size }],
  ])('with %s than promised is never complete', async (_what, bytes, end) => {
    connect = connecting((socket) => sending(socket, bytes, { ...ok, ...end }));
    expect(await download()).toBeUndefined();
  });

  it('that breaks off is never complete', async () => {
    connect = connecting((socket) => socket.send(content.subarray(0, 500_000), () => socket.terminate()));
    expect(await download()).toBeUndefined();
  });

  it('that the agent refuses midway is never complete', async () => {
    connect = connecting((socket) => sending(socket, content.subarray(0, 500_000), refusal('failed')));
    expect(await download()).toBeUndefined();
  });
});

it('an older agent, or one that cannot connect, sends and receives parts, and is asked once', async () => {
  connect = async () => refusal('invalid');
  expect(await upload()).toMatchObject({ status: 200, body: { size, sha256 } });
  expect(Buffer.concat(parts).equals(content)).toBe(true);
  expect((await download())?.equals(content)).toBe(true);
  expect(asked.filter((verb) => verb === 'file-connect')).toHaveLength(1);
});
