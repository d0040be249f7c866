// Interrupted file transfers: the agent dies, access ends, the disk is full, a client disconnects or is slow.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { components } from '../../generated/platform.d.ts';
import {
  bearing,
  FileHost,
  readSlowly,
  sendUntilResponse,
  type FileResponse,
  type Credentials,
} from '../support/file-host.ts';
import { createKeyWithText } from '../support/rows.ts';
import { canMountDisk, mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { patient } from '../support/patience.ts';

type Schemas = components['schemas'];

/** More than is read before the transfer can be affected; it takes no disk space. */
const hugeBytes = 1_000_000_000;
/** As many as an agent transfers at once. */
const maxAtOnce = 16;

let host: FileHost;

beforeAll(async () => {
  host = await FileHost.open();
  writeFileSync(join(host.root, 'huge'), '');
  truncateSync(join(host.root, 'huge'), hugeBytes);
});
afterAll(() => host.close());

const inRoot = (path: string) => join(host.root, path);

/** The audit log's actions on a path, oldest first. */
async function recordedActions(path: string): Promise<Schemas['AuditEntry']['action'][]> {
  const { body } = await host.world
    .call('get', '/api/audit', host.tenant.owner)
    .query({ target_type: 'file', target_id: host.instanceId, limit: 100 })
    .expect(200);
  const entries = (body as Schemas['AuditEntryPage']).data.filter(({ after }) => after?.['path'] === path);
  return entries.map(({ action }) => action).toReversed();
}

/** An upload of which a part has arrived, over a data connection. */
async function halfUpload(path: string, credentials?: Credentials): Promise<ClientRequest> {
  const upload = host.beginUpload(path, credentials);
  upload.write(randomBytes(3_000_000));
  await until(
    () => host.leftovers().some((name) => statSync(inRoot(name)).size > 1_000_000),
    'the beginning',
  );
  return upload;
}

/**
 * A download of which a part has arrived; returns whether the rest arrived, once `meanwhile` has finished.
 */
async function readWhile(meanwhile: () => Promise<unknown>, credentials?: Credentials) {
  const response = await host.beginDownload('huge', credentials);
  expect(response.statusCode).toBe(200);
  const reading = readSlowly(response);
  await meanwhile();
  return reading;
}

describe('an agent that is killed', () => {
  it('during an upload: returns a problem, and the next agent leaves nothing of it', async () => {
    const upload = await halfUpload('half');
    await host.killAgent();
    expect(host.leftovers()).toHaveLength(1);
    const { status, body } = await sendUntilResponse(upload);
    expect(['agent_offline', 'agent_timeout']).toContain((body as Schemas['Problem']).code);
    expect([503, 504]).toContain(status);
    await host.restartAgent();
    await host.untilTidy();
    expect(existsSync(inRoot('half'))).toBe(false);
    expect(await recordedActions('half')).toEqual([]);
  });

  it('during a download: a partial file is never taken for complete', async () => {
    const { isWhole, bytes } = await readWhile(() => host.killAgent());
    expect(isWhole).toBe(false);
    expect(bytes).toBeLessThan(hugeBytes);
    await host.restartAgent();
  });
});

describe('an agent that does not reply', () => {
  it('may still perform the request: the attempt is recorded without an outcome', async () => {
    process.kill(host.agent.pid, 'SIGSTOP');
    const { status, body } = await host.call('put', '/content', { path: 'late' }).send({ content: 'late' });
    process.kill(host.agent.pid, 'SIGCONT');
    expect([status, body]).toMatchObject([504, { code: 'agent_timeout' }]);
    await until(() => existsSync(inRoot('late')), 'the request');
    expect(await recordedActions('late')).toEqual(['attempted']);
  });
});

describe('clients that disconnect', () => {
  it('free capacity at the agent at once', async () => {
    const responses: IncomingMessage[] = [];
    for (let index = 0; index < maxAtOnce; index += 1) responses.push(await host.beginDownload('huge'));
    const refused = await host.beginDownload('huge');
    expect(await readResponse(refused)).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
    for (const response of responses) response.destroy();
    const sinceMs = performance.now();
    const next = await until(async () => {
      const response = await host.beginDownload('huge');
      if (response.statusCode === 200) return response;
      response.resume();
      return null;
    }, 'a free transfer');
    expect(performance.now() - sinceMs).toBeLessThan(patient(4_000));
    next.destroy();
  });
});

/** A user who may transfer files, and how that ends. */
interface Access {
  credentials: Credentials;
  end: () => Promise<unknown>;
}

const mayTransfer = { 'fleet.view': true, 'files.view': true, 'files.manage': true };

const accesses: Record<string, { begin: () => Promise<Access>; code: string }> = {
  'signs out': {
    code: 'unauthorized',
    begin: async () => {
      const { token, session } = await host.world.addMemberWith(host.tenant, mayTransfer);
      const { refresh_token } = session;
      const end = () => host.world.call('post', '/auth/logout').send({ refresh_token }).expect(204);
      return { credentials: bearing(token), end: async () => end() };
    },
  },
  'has a role that loses the permission': {
    code: 'forbidden',
    begin: async () => {
      const { token, email } = await host.world.addMemberWith(host.tenant, mayTransfer);
      const end = () =>
        host.world.database.query(
          `update role set permissions = '{"fleet.view": true}' from membership m, user_account u
           where m.role_id = role.id and u.id = m.user_id and u.email = $1`,
          [email],
        );
      return { credentials: bearing(token), end };
    },
  },
  'has a key that is revoked': {
    code: 'unauthorized',
    begin: async () => {
      const { id, key } = await createKeyWithText(host.world, host.tenant);
      const end = () => host.world.call('delete', `/api/api-keys/${id}`, host.tenant.owner).expect(204);
      return { credentials: { 'x-api-key': key }, end: async () => end() };
    },
  },
};

describe.each(Object.entries(accesses))('a user who %s', (_what, { begin, code }) => {
  it('during an upload gets an error, and nothing of it stays', async () => {
    const { credentials, end } = await begin();
    const upload = await halfUpload('revoked', credentials);
    await end();
    const { body } = await sendUntilResponse(upload);
    expect(body).toMatchObject({ code });
    await host.untilTidy();
    expect(existsSync(inRoot('revoked'))).toBe(false);
    expect(await recordedActions('revoked')).toEqual([]);
  });

  it('during a download gets no more of it', async () => {
    const { credentials, end } = await begin();
    const { isWhole, bytes } = await readWhile(end, credentials);
    expect(isWhole).toBe(false);
    expect(bytes).toBeLessThan(hugeBytes);
  });
});

describe('a license that is revoked', () => {
  const setStatus = (status: string) =>
    host.world
      .call('patch', `/api/admin/licenses/${host.tenant.license.id}`, host.world.admin)
      .send({ status })
      .expect(200);

  it('ends uploads and downloads, whether its users or its agents are detected first', async () => {
    const upload = await halfUpload('revoked');
    const sending = sendUntilResponse(upload);
    const reading = readWhile(async () => setStatus('revoked'));
    const { body } = await sending;
    expect(['license_revoked', 'agent_offline', 'agent_timeout']).toContain(
      (body as Schemas['Problem']).code,
    );
    expect(await reading).toMatchObject({ isWhole: false });
    await setStatus('active');
    await host.agent.end();
    await host.restartAgent();
    await host.untilTidy();
    expect(existsSync(inRoot('revoked'))).toBe(false);
  });
});

const whereMountable = canMountDisk() ? describe : describe.skip;

whereMountable('a disk that is full (left out where no disk can be mounted)', () => {
  const roomBytes = 2 * 1024 * 1024;
  const reservedBytes = 64 * 1024 * 1024;
  const onDisk = () => readdirSync(inRoot('small')).toSorted();

  beforeAll(() => {
    mkdirSync(inRoot('small'));
    mountSmallDisk(inRoot('small'), reservedBytes + roomBytes);
  });
  afterAll(() => unmountSmallDisk(inRoot('small')));

  const upload = (path: string, bytes: Buffer) =>
    host.call('put', '/upload', { path }).set('Content-Type', 'application/octet-stream').send(bytes);

  /** The command, once it has ended. */
  async function carriedOut(rest: string, work: object): Promise<Schemas['Command']> {
    const { body } = await host.call('post', rest).send(work).expect(202);
    const path = `/api/commands/${(body as Schemas['Command']).id}`;
    return until(async () => {
      const command = (await host.world.call('get', path, host.tenant.owner)).body as Schemas['Command'];
      return command.finished_at !== null && command;
    }, 'the end of the command');
  }

  it('returns 507 for an upload, and keeps nothing of it', async () => {
    const request = host.beginUpload('small/much');
    const { status, body } = await sendUntilResponse(request);
    expect([status, body]).toMatchObject([507, { code: 'disk_full' }]);
    expect(onDisk()).toEqual([]);
    expect(await recordedActions('small/much')).toEqual([]);
    await upload('small/little', Buffer.from('x')).expect(200);
  });

  it('returns 507 for a text, and leaves the existing file unchanged', async () => {
    writeFileSync(inRoot('small/text'), 'unchanged');
    writeFileSync(inRoot('small/filling'), Buffer.alloc(roomBytes - 64 * 1024));
    const put = host
      .call('put', '/content', { path: 'small/text' })
      .send({ content: 'x'.repeat(200 * 1024) });
    expect((await put.expect(507)).body).toMatchObject({ code: 'disk_full' });
    expect(readFileSync(inRoot('small/text'), 'utf8')).toBe('unchanged');
    expect(onDisk()).toEqual(['filling', 'little', 'text']);
    expect(await recordedActions('small/text')).toEqual(['attempted', 'failed']);
  });

  it('fails unpacking and packing with the reason, and leaves nothing of either', async () => {
    writeFileSync(inRoot('large'), randomBytes(2 * roomBytes));
    const archive_path = 'large.zip';
    await carriedOut('/archives', { paths: ['large'], archive_path });
    const full = {
      status: 'failed',
      error: { code: 'disk_full', detail: expect.stringContaining('The disk of the host is full') },
    };
    expect(await carriedOut('/extractions', { archive_path, path: 'small' })).toMatchObject(full);
    expect(
      await carriedOut('/archives', { paths: ['large'], archive_path: 'small/large.zip' }),
    ).toMatchObject(full);
    expect(onDisk()).toEqual(['filling', 'little', 'text']);
  });
});

describe('a slow client', () => {
  it('completes a download and an upload', async () => {
    const bytes = randomBytes(3_000_000);
    writeFileSync(inRoot('slow'), bytes);
    expect(await readSlowly(await host.beginDownload('slow'))).toEqual({ isWhole: true, bytes: 3_000_000 });
    const upload = host.beginUpload('slowly');
    const responded = once(upload, 'response') as Promise<[IncomingMessage]>;
    for (let start = 0; start < 300_000; start += 1_000) {
      upload.write(bytes.subarray(start, start + 1_000));
      await setTimeout(2);
    }
    upload.end();
    const [response] = await responded;
    expect(await readResponse(response)).toMatchObject({ status: 200, body: { size: 300_000 } });
    expect(readFileSync(inRoot('slowly'))).toEqual(bytes.subarray(0, 300_000));
  });
});

describe('a file of 300 MB', () => {
  it('arrives completely, and is never completely in the memory of the agent', async () => {
    const hash = createHash('sha256');
    const upload = host.beginUpload('large-upload');
    const responded = once(upload, 'response') as Promise<[IncomingMessage]>;
    let maxBytes = 0;
    for (let count = 0; count < 300; count += 1) {
      const bytes = randomBytes(1_000_000);
      hash.update(bytes);
      if (!upload.write(bytes)) await once(upload, 'drain');
      maxBytes = Math.max(maxBytes, host.agent.rssBytes());
    }
    upload.end();
    const [response] = await responded;
    expect(await readResponse(response)).toMatchObject({
      status: 200,
      body: { size: 300_000_000, sha256: hash.digest('hex') },
    });
    expect(maxBytes).toBeLessThan(300_000_000);
  }, 300_000);
});

async function readResponse(response: IncomingMessage): Promise<FileResponse> {
  return { status: response.statusCode, body: await json(response) };
}
