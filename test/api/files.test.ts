// Operations of the area `files`, by a real agent with real files: effects, refusals and leftovers.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { someId } from '../support/contract.ts';
import { FileHost } from '../support/file-host.ts';
import { hostilePaths } from '../support/hostile-paths.ts';
import { createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import type { Method, Tenant, World } from '../support/world.ts';

type Schemas = components['schemas'];

let host: FileHost;
let world: World;
let tenant: Tenant;
let root: string;
let instanceId: string;

beforeAll(async () => {
  host = await FileHost.open();
  ({ world, tenant, root, instanceId } = host);
});
afterAll(() => host.close());

const call = (method: Method, rest = '', query: object = {}) => host.call(method, rest, query);

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

const upload = (path: string, bytes: Buffer, query: object = {}) =>
  call('put', '/upload', { path, ...query })
    .set('Content-Type', 'application/octet-stream')
    .send(bytes);

const download = (path: string) =>
  call('get', '/download', { path })
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => done(error, null));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });

const leftovers = (folder?: string) => host.leftovers(folder);

describe('listFiles', () => {
  it('returns 200 with the entries, by name and page by page', async () => {
    mkdirSync(join(root, 'listed/inner'), { recursive: true });
    writeFileSync(join(root, 'listed/a.txt'), 'abc');
    writeFileSync(join(root, 'listed/ü'), '');
    symlinkSync('/etc/passwd', join(root, 'listed/link'));
    const { body } = await call('get', '', { path: 'listed', limit: 2 }).expect(200);
    const first = body as Schemas['InstanceFilePage'];
    expect(first.data).toEqual([
      {
        name: 'a.txt',
        path: 'listed/a.txt',
        kind: 'file',
        size: 3,
        modified_at: expect.any(String),
      },
      { name: 'inner', path: 'listed/inner', kind: 'directory', size: null, modified_at: expect.any(String) },
    ]);
    const { body: rest } = await call('get', '', { path: 'listed', limit: 2, cursor: first.next_cursor });
    expect((rest as Schemas['InstanceFilePage']).data.map(({ name, kind }) => [name, kind])).toEqual([
      ['link', 'symlink'],
      ['ü', 'file'],
    ]);
    expect(rest).toMatchObject({ next_cursor: null });
  });

  it.each([
    ['that encodes no text', Buffer.from([0x61, 0xff]).toString('base64url')],
    ['of a name that one more character follows', `${Buffer.from('abc').toString('base64url')}A`],
    ['of a name with a null character', Buffer.from('a\0').toString('base64url')],
  ])('returns 400 for a cursor %s', async (_what, cursor) => {
    const { body } = await call('get', '', { cursor }).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ in: 'query', pointer: '/cursor' }] });
  });

  it('returns 200 with the root by default', async () => {
    const { body } = await call('get').expect(200);
    expect((body as Schemas['InstanceFilePage']).data.map(({ path }) => path)).toContain('listed');
  });

  it('returns 404 for a missing path and 409 for a path that is not a directory', async () => {
    await call('get', '', { path: 'nothing' }).expect(404);
    const { body } = await call('get', '', { path: 'listed/a.txt' }).expect(409);
    expect(body).toMatchObject({ code: 'wrong_file_type' });
  });
});

describe('getFileMetadata', () => {
  it('returns 200 with the properties of the path; of the link itself for a link', async () => {
    const { body } = await call('get', '/stat', { path: 'listed/link' }).expect(200);
    expect(body).toMatchObject({ path: 'listed/link', kind: 'symlink', size: null });
  });
});

describe('writeFile and readFile', () => {
  const put = (path: string, content: string, ifMatch?: string) => {
    const test = call('put', '/content', { path });
    if (ifMatch !== undefined) test.set('If-Match', ifMatch);
    return test.send({ content });
  };

  it('returns 200 with the written text, and its hash as ETag', async () => {
    const text = 'schön\n"x"\n';
    const { headers } = await put('note.txt', text).expect(200);
    expect(headers['etag']).toBe(`"${sha256(text)}"`);
    expect(readFileSync(join(root, 'note.txt'), 'utf8')).toBe(text);
    const { body, headers: read } = await call('get', '/content', { path: 'note.txt' }).expect(200);
    expect(body).toEqual({
      path: 'note.txt',
      content: text,
      size: Buffer.byteLength(text),
      sha256: sha256(text),
      modified_at: expect.any(String),
    });
    expect(read['etag']).toBe(headers['etag']);
  });

  it('returns 412 when the file changed meanwhile; one of many concurrent writes wins', async () => {
    const { headers } = await put('raced.txt', 'first').expect(200);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => put('raced.txt', `change ${index}`, headers['etag'])),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(412)]);
    const { body } = await put('raced.txt', 'late', headers['etag']).expect(412);
    expect(body).toMatchObject({ code: 'stale_version' });
    await put('absent.txt', 'x', headers['etag']).expect(412);
    expect(leftovers()).toEqual([]);
  });

  it('returns 200 if one of several entity tags matches, and 412 if none can', async () => {
    const { headers } = await put('listed.txt', 'first').expect(200);
    const [known, other] = [headers['etag'], `"${sha256('other')}"`];
    expect((await put('listed.txt', 'second', `${other}, W/${known}, "x"`).expect(412)).body).toMatchObject({
      code: 'stale_version',
    });
    expect((await put('listed.txt', 'second', `W/${known}`).expect(412)).body).toMatchObject({
      code: 'stale_version',
    });
    await put('listed.txt', 'second', `${other}, ${known}`).expect(200);
    expect(readFileSync(join(root, 'listed.txt'), 'utf8')).toBe('second');
  });

  it('returns 422 for content that is too large or not a text', async () => {
    writeFileSync(join(root, 'large.txt'), Buffer.alloc(256 * 1024 + 1, 'a'));
    writeFileSync(join(root, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
    expect((await call('get', '/content', { path: 'large.txt' }).expect(422)).body).toMatchObject({
      code: 'file_too_large',
    });
    expect((await call('get', '/content', { path: 'binary' }).expect(422)).body).toMatchObject({
      code: 'not_text',
    });
    await put('ok.txt', 'ü'.repeat(128 * 1024)).expect(200);
    expect((await put('no.txt', 'ü'.repeat(128 * 1024 + 1)).expect(422)).body).toMatchObject({
      code: 'file_too_large',
    });
  });

  it('keeps the mode of the file', async () => {
    writeFileSync(join(root, 'script.sh'), 'a', { mode: 0o700 });
    await put('script.sh', 'b').expect(200);
    const { statSync } = await import('node:fs');
    expect(statSync(join(root, 'script.sh')).mode & 0o777).toBe(0o700);
  });
});

describe('uploadFile and downloadFile', () => {
  it('takes an empty file, but returns 415 when the body was forgotten', async () => {
    await upload('kept.txt', Buffer.from('content')).expect(200);
    const { body } = await call('put', '/upload', { path: 'kept.txt', overwrite: true }).expect(415);
    expect((body as Schemas['Problem']).code).toBe('unsupported_media_type');
    expect(readFileSync(join(root, 'kept.txt'), 'utf8')).toBe('content');
    await upload('kept.txt', Buffer.alloc(0), { overwrite: true }).expect(200);
    expect(readFileSync(join(root, 'kept.txt'), 'utf8')).toBe('');
  });

  it.each([0, 1, 256 * 1024, 256 * 1024 + 1, 5_000_000])(
    'returns 200 with %i bytes, in both directions',
    async (size) => {
      const bytes = randomBytes(size);
      const path = `transfer-${size}`;
      const { body } = await upload(path, bytes, { sha256: sha256(bytes) }).expect(200);
      expect(body).toMatchObject({ path, size, sha256: sha256(bytes) });
      const { body: back, headers } = await download(path).expect(200);
      expect(sha256(back as Buffer)).toBe(sha256(bytes));
      expect(headers['content-length']).toBe(String(size));
      expect(leftovers()).toEqual([]);
    },
  );

  it('returns 422 for a wrong checksum and leaves no file', async () => {
    const { body } = await upload('wrong', Buffer.from('x'), { sha256: sha256('y') }).expect(422);
    expect(body).toMatchObject({ code: 'checksum_mismatch' });
    expect(existsSync(join(root, 'wrong'))).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  it('returns 409 for an existing file unless overwriting is allowed, and always for a directory', async () => {
    await upload('twice', Buffer.from('1')).expect(200);
    expect((await upload('twice', Buffer.from('2')).expect(409)).body).toMatchObject({ code: 'file_exists' });
    await upload('twice', Buffer.from('3'), { overwrite: true }).expect(200);
    expect(readFileSync(join(root, 'twice'), 'utf8')).toBe('3');
    expect((await upload('listed', Buffer.from('2'), { overwrite: true }).expect(409)).body).toMatchObject({
      code: 'wrong_file_type',
    });
  });
});

describe('createDirectory, renameFile and deleteFile', () => {
  it('create, rename and delete', async () => {
    const { body } = await call('put', '/directories', { path: 'made/deep/er' }).expect(200);
    expect(body).toMatchObject({ name: 'er', path: 'made/deep/er', kind: 'directory', size: null });
    await call('put', '/directories', { path: 'made/deep/er' }).expect(200);
    await upload('made/deep/file', Buffer.from('x')).expect(200);
    expect((await call('put', '/directories', { path: 'made/deep/file' }).expect(409)).body).toMatchObject({
      code: 'file_exists',
    });
    const { body: renamed } = await call('patch', '', { path: 'made/deep' })
      .send({ new_path: 'made/moved' })
      .expect(200);
    expect(renamed).toMatchObject({ path: 'made/moved', kind: 'directory' });
    expect((await call('delete', '', { path: 'made' }).expect(409)).body).toMatchObject({
      code: 'directory_not_empty',
    });
    await call('delete', '', { path: 'made/moved/file' }).expect(204);
    await call('delete', '', { path: 'made', recursive: true }).expect(204);
    expect(existsSync(join(root, 'made'))).toBe(false);
    await until(() => leftovers().length === 0, 'the removal');
    await call('delete', '', { path: 'made' }).expect(404);
  });

  it('returns 409 for a taken new path, unless a file may be overwritten', async () => {
    await upload('one', Buffer.from('1')).expect(200);
    await upload('two', Buffer.from('2')).expect(200);
    expect(
      (await call('patch', '', { path: 'one' }).send({ new_path: 'two' }).expect(409)).body,
    ).toMatchObject({
      code: 'file_exists',
    });
    await call('patch', '', { path: 'one' }).send({ new_path: 'two', overwrite: true }).expect(200);
    expect(readFileSync(join(root, 'two'), 'utf8')).toBe('1');
  });
});

describe('archiveFiles and extractArchive', () => {
  const run = async (rest: string, body: object) => {
    const reply = await call('post', rest).set('Prefer', 'wait=10').send(body).expect(202);
    return reply.body as Schemas['Command'];
  };

  it('returns 202 with a command that packs, and one that unpacks', async () => {
    mkdirSync(join(root, 'packed/inner'), { recursive: true });
    writeFileSync(join(root, 'packed/inner/a'), 'a'.repeat(100_000));
    writeFileSync(join(root, 'packed/b'), 'b');
    expect(await run('/archives', { paths: ['packed'], archive_path: 'packed.zip' })).toMatchObject({
      kind: 'zip_files',
      status: 'succeeded',
    });
    expect(await run('/extractions', { archive_path: 'packed.zip', path: 'unpacked' })).toMatchObject({
      kind: 'unzip_file',
      status: 'succeeded',
    });
    expect(readFileSync(join(root, 'unpacked/packed/inner/a'), 'utf8')).toBe('a'.repeat(100_000));
    expect(readFileSync(join(root, 'unpacked/packed/b'), 'utf8')).toBe('b');
    expect(await run('/extractions', { archive_path: 'packed.zip', path: 'unpacked' })).toMatchObject({
      status: 'failed',
      error: { code: 'files_refused' },
    });
    expect(leftovers()).toEqual([]);
    expect(leftovers(join(root, 'unpacked'))).toEqual([]);
  });
});

describe('the audit log', () => {
  const entries = async (): Promise<Schemas['AuditEntry'][]> => {
    const query = { target_type: 'file', target_id: instanceId, limit: 100 };
    const { body } = await world.call('get', '/api/audit', tenant.owner).query(query).expect(200);
    return (body as Schemas['AuditEntryPage']).data.toReversed();
  };

  /** The entries of the request: what was attempted and its outcome. */
  async function entriesOf(request: ReturnType<typeof call>, status: number) {
    const { headers } = await request.expect(status);
    const left = (await entries()).filter(({ request_id }) => request_id === headers['x-request-id']);
    expect(left.every(({ actor }) => actor.label === tenant.owner.email)).toBe(true);
    const [attempt] = left;
    return left.map(({ operation, action, before, after }, index) => {
      const { attempt: named, ...fields } = after ?? {};
      expect(named).toBe(index === 0 ? undefined : attempt?.id);
      return [operation, action, before, after && fields];
    });
  }

  it("records each change twice, before and after the agent's reply, without content", async () => {
    const text = 'a secret line';
    const stored = { size: text.length, sha256: sha256(text) };
    const file = { path: 'audited', ...stored };
    const put = call('put', '/content', { path: 'audited' }).send({ content: text });
    expect(await entriesOf(put, 200)).toEqual([
      ['writeFile', 'attempted', null, file],
      ['writeFile', 'updated', null, file],
    ]);
    const moved = { path: 'moved', overwrite: false };
    const rename = call('patch', '', { path: 'audited' }).send({ new_path: 'moved' });
    expect(await entriesOf(rename, 200)).toEqual([
      ['renameFile', 'attempted', { path: 'audited' }, moved],
      ['renameFile', 'updated', { path: 'audited' }, moved],
    ]);
    const gone = { path: 'moved', recursive: false };
    expect(await entriesOf(call('delete', '', { path: 'moved' }), 204)).toEqual([
      ['deleteFile', 'attempted', gone, null],
      ['deleteFile', 'deleted', gone, {}],
    ]);
    const directory = { path: 'audited/inner', kind: 'directory' };
    expect(await entriesOf(call('put', '/directories', { path: 'audited/inner' }), 200)).toEqual([
      ['createDirectory', 'attempted', null, directory],
      ['createDirectory', 'created', null, directory],
    ]);
    const sent = { path: 'audited/file', ...stored };
    expect(await entriesOf(upload('audited/file', Buffer.from(text)), 200)).toEqual([
      ['uploadFile', 'attempted', null, sent],
      ['uploadFile', 'created', null, sent],
    ]);
    expect(await entriesOf(upload('audited/file', Buffer.from(text), { overwrite: true }), 200)).toEqual([
      ['uploadFile', 'attempted', null, sent],
      ['uploadFile', 'updated', null, sent],
    ]);
    expect(JSON.stringify(await entries())).not.toContain(text);
  });

  it('records refusals, with the expected hash', async () => {
    const absent = sha256('absent');
    const file = { path: 'audited/file', size: 1, sha256: sha256('x') };
    const put = call('put', '/content', { path: file.path })
      .set('If-Match', `"${absent}"`)
      .send({ content: 'x' });
    expect(await entriesOf(put, 412)).toEqual([
      ['writeFile', 'attempted', { sha256: absent }, file],
      ['writeFile', 'failed', { sha256: absent }, { ...file, problem: 'stale_version' }],
    ]);
    const gone = { path: 'audited', recursive: false };
    expect(await entriesOf(call('delete', '', { path: 'audited' }), 409)).toEqual([
      ['deleteFile', 'attempted', gone, null],
      ['deleteFile', 'failed', gone, { problem: 'directory_not_empty' }],
    ]);
  });

  it('records nothing for requests that never reached a change', async () => {
    expect(await entriesOf(upload('audited/file', Buffer.from('x')), 409)).toEqual([]);
    expect(await entriesOf(upload('audited/new', Buffer.from('x'), { sha256: sha256('y') }), 422)).toEqual(
      [],
    );
    expect(await entriesOf(call('get', '/content', { path: 'audited/file' }), 200)).toEqual([]);
    expect(await entriesOf(call('delete', '', { path: '../audited' }), 422)).toEqual([]);
  });
});

describe('hostile paths', () => {
  const json = (method: Method, rest: string, body: object, query: object = {}) =>
    call(method, rest, query).send(body);
  const from = { archive_path: 'a.zip' };
  const ofInstance = (method: Method, rest: string) =>
    world.call(method, `/api/instances/${instanceId}/${rest}`, tenant.owner);
  const requests: Record<string, (path: string) => ReturnType<typeof call>> = {
    listFiles: (path) => call('get', '', { path }),
    getFileMetadata: (path) => call('get', '/stat', { path }),
    readFile: (path) => call('get', '/content', { path }),
    downloadFile: (path) => call('get', '/download', { path }),
    deleteFile: (path) => call('delete', '', { path, recursive: true }),
    uploadFile: (path) => upload(path, Buffer.from('hostile'), { overwrite: true }),
    writeFile: (path) => json('put', '/content', { content: 'hostile' }, { path }),
    'renameFile from': (path) => json('patch', '', { new_path: 'new' }, { path }),
    'renameFile to': (path) => json('patch', '', { new_path: path, overwrite: true }, { path: 'one' }),
    createDirectory: (path) => call('put', '/directories', { path }),
    'archiveFiles of': (path) => json('post', '/archives', { paths: ['one', path], ...from }),
    'archiveFiles to': (path) => json('post', '/archives', { paths: ['one'], archive_path: path }),
    'extractArchive of': (path) => json('post', '/extractions', { archive_path: path }),
    'extractArchive to': (path) => json('post', '/extractions', { ...from, path, overwrite: true }),
    createBackup: (path) => ofInstance('post', 'backups').send({ paths: ['one', path] }),
    deployMap: (path) => ofInstance('post', 'map-deployments').send({ map_id: path }),
    createWipe: (path) => ofInstance('post', 'wipes').send({ kind: 'map', map_id: path }),
  };

  /** Paths that become part of the URL itself, which may then not exist. */
  const addresses: Record<string, (path: string) => ReturnType<typeof call>> = {
    installPlugin: (path) =>
      ofInstance('put', `plugins/${encodeURIComponent(path)}?overwrite=true`)
        .set('Content-Type', 'application/octet-stream')
        .send(Buffer.from('class Kits')),
    loadPlugin: (path) => ofInstance('post', `plugins/${encodeURIComponent(path)}/load`),
    reloadPlugin: (path) => ofInstance('post', `plugins/${encodeURIComponent(path)}/reload`),
    unloadPlugin: (path) => ofInstance('post', `plugins/${encodeURIComponent(path)}/unload`),
    uninstallPlugin: (path) => ofInstance('post', `plugins/${encodeURIComponent(path)}/uninstall`),
  };

  it.each(Object.entries({ ...requests, ...addresses }))('%s accepts none', async (operation, send) => {
    const before = readdirSync(host.agent.directory, { recursive: true }).length;
    // A URL cannot contain half a character.
    for (const path of hostilePaths.filter((text) => text.isWellFormed())) {
      const { status, body } = await send(path);
      const { code } = body as Schemas['Problem'];
      const refused = { 400: 'validation_failed', 422: 'path_refused', 404: undefined };
      if (operation in addresses) Object.assign(refused, { 404: 'not_found' });
      expect([path, status, code]).toEqual([
        path,
        status,
        refused[status as keyof typeof refused] ?? 'refused',
      ]);
    }
    expect(readdirSync(host.agent.directory, { recursive: true })).toHaveLength(before);
  });
});

it('a client that disconnects during an upload leaves no file', async () => {
  const upload = host.beginUpload('left');
  upload.write(randomBytes(1_000_000));
  await until(() => leftovers().length === 1, 'the beginning');
  upload.destroy();
  await host.untilTidy();
  expect(existsSync(join(root, 'left'))).toBe(false);
});

describe('an agent that is away', () => {
  it('returns 503 agent_offline', async () => {
    const idle = await createInstance(world, tenant);
    const { body } = await world.call('get', `/api/instances/${idle}/files`, tenant.owner).expect(503);
    expect(body).toMatchObject({ code: 'agent_offline' });
  });

  it('returns 404 for an unknown instance', async () => {
    await world.call('get', `/api/instances/${someId}/files`, tenant.owner).expect(404);
  });
});
