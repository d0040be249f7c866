// Operations of the area `maps`: uploads in every form, public access, and deployments by commands.
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { TestAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import { mapFile } from '../support/map-file.ts';
import { createInstance, createMap, createMapDeployment } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type GameMap = components['schemas']['GameMap'];
type Deployment = components['schemas']['MapDeployment'];

let world: World;
let tenant: Tenant;
/** The text that the scanner reports as infected. */
const infected = Buffer.from('X5O!P%@AP');

beforeAll(async () => {
  world = await World.create({
    scanner: {
      scan: async (open) => {
        const parts: Buffer[] = [];
        for await (const part of await open()) parts.push(part as Buffer);
        return Buffer.concat(parts).includes(infected)
          ? { status: 'infected', detail: 'Test-Signature' }
          : { status: 'clean', detail: 'Nothing was found.' };
      },
    },
  });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const path = '/api/maps';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const upload = (file: Buffer, { name = 'Five islands', fileName = 'a.map', owner = tenant } = {}) =>
  world.call('post', path, owner.owner).field('name', name).attach('file', file, fileName);
const uploaded = async (file = mapFile(), options: Parameters<typeof upload>[1] = {}) =>
  (await upload(file, options).expect(201)).body as GameMap;
const update = (id: string, changes: object) =>
  world.call('patch', `${path}/${id}`, tenant.owner).send(changes);

const bytesOf = (test: ReturnType<World['call']>) =>
  test.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => done(null, Buffer.concat(chunks)));
    response.on('error', (error) => done(error, null));
  });

/** Every file that the storage has of the license, unfinished ones included. */
function storedFiles({ license }: Tenant = tenant): string[] {
  try {
    return readdirSync(join(world.storageDirectory, 'maps', license.id));
  } catch {
    return [];
  }
}

async function filesInRows(): Promise<string[]> {
  const rows = await world.database.query<{ id: string }>(
    'select id from stored_file where license_id = $1',
    [tenant.license.id],
  );
  return rows.map(({ id }) => id);
}

/** Waits until the storage and the rows agree. */
const untilTidy = () =>
  until(async () => {
    const [rows, files] = [await filesInRows(), storedFiles()];
    return rows.length === files.length && files.every((file) => rows.includes(file));
  }, 'a storage without leftovers');

describe('uploadMap', () => {
  it('returns 201 with the properties read from the file, under any name', async () => {
    for (const fileName of ['../../etc/passwd', 'C:\\x.exe', '.map']) {
      const file = mapFile({ worldSize: 3_000 });
      const { body, headers } = await upload(file, { name: 'Ünï ../çödé', fileName }).expect(201);
      expect(body).toEqual({
        id: expect.any(String),
        name: 'Ünï ../çödé',
        sha256: sha256(file),
        bytes: file.byteLength,
        format_version: 10,
        world_size: 3_000,
        scan_status: 'clean',
        scan_detail: 'Nothing was found.',
        is_public: false,
        public_url: null,
        uploaded_by: tenant.owner.email,
        version: 1,
        created_at: expect.any(String),
      });
      expect(headers['etag']).toBe('"1"');
    }
  });

  it('returns 201 with the map that already has this content, and stores nothing twice', async () => {
    const file = mapFile();
    const first = await uploaded(file, { name: 'First' });
    expect(await uploaded(file, { name: 'Second' })).toEqual(first);
    const other = await world.createTenant();
    expect((await uploaded(file, { owner: other })).id).not.toBe(first.id);
    await untilTidy();
  });

  it('returns 201 with one map for many concurrent uploads of the same content', async () => {
    const file = mapFile();
    const maps = await Promise.all(Array.from({ length: 4 }, () => uploaded(file)));
    expect(new Set(maps.map(({ id }) => id)).size).toBe(1);
    await untilTidy();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another kind of file', Buffer.from('PK\u0003\u0004 and so on')],
    ['an unknown version', mapFile({ version: 8 })],
    ['a head alone', mapFile().subarray(0, 12)],
    ['a file that is cut off', mapFile().subarray(0, -1)],
    ['a file with something behind it', Buffer.concat([mapFile(), Buffer.from([7])])],
    ['a world without size', mapFile({ worldSize: 0 })],
  ])('returns 422 invalid_map for %s, and keeps nothing', async (_what, file) => {
    const { body } = await upload(file).expect(422);
    expect(body).toMatchObject({ code: 'invalid_map' });
    await untilTidy();
  });

  it('returns 422 infected_file for content the scanner rejects', async () => {
    const { body } = await upload(mapFile({ layer: Buffer.concat([Buffer.alloc(100), infected]) })).expect(
      422,
    );
    expect(body).toMatchObject({
      code: 'infected_file',
      detail: 'The virus scanner found malware: Test-Signature',
    });
    await untilTidy();
  });

  it('returns 400 for parts that are missing, unknown, late or repeated', async () => {
    const post = () => world.call('post', path, tenant.owner);
    const file = mapFile();
    const kinds: [string, () => PromiseLike<Response>][] = [
      ['/file', () => post().field('name', 'x')],
      ['/name', () => post().attach('file', file, 'a')],
      ['/name', () => post().field('name', ' x').attach('file', file, 'a')],
      ['/name', () => post().field('name', 'x').field('name', 'y').attach('file', file, 'a')],
      ['/other', () => post().field('name', 'x').field('other', 'y').attach('file', file, 'a')],
      ['/__proto__', () => post().field('name', 'x').field('__proto__', 'y').attach('file', file, 'a')],
      ['/other', () => post().field('name', 'x').attach('other', file, 'a')],
      ['/file', () => post().field('name', 'x').attach('file', file, 'a').attach('file', file, 'b')],
      ['/other', () => post().field('name', 'x').attach('file', file, 'a').attach('other', file, 'b')],
      ['/late', () => post().field('name', 'x').attach('file', file, 'a').field('late', 'y')],
    ];
    for (const [pointer, request] of kinds) {
      const { status, body } = await request();
      expect([pointer, status, body]).toMatchObject([
        pointer,
        400,
        { code: 'validation_failed', errors: [{ in: 'body', pointer }] },
      ]);
    }
    await untilTidy();
  });

  it('returns 400 malformed_body for a body that is not multipart', async () => {
    for (const [type, text] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=x', 'x'],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nfoo'],
    ] as const) {
      const { status, body } = await world
        .call('post', path, tenant.owner)
        .set('Content-Type', type)
        .send(text);
      expect([text, status, body]).toMatchObject([text, 400, { code: 'malformed_body' }]);
    }
  });

  it('returns 409 limit_reached for a license that has a hundred, before the file is sent', async () => {
    const full = await world.createTenant();
    await Promise.all(Array.from({ length: 100 }, () => createMap(world, full)));
    const { body } = await upload(mapFile(), { owner: full }).expect(409);
    expect(body).toMatchObject({ code: 'limit_reached' });
  });

  it('returns 409 limit_reached when the maps have ten gibibytes together', async () => {
    const full = await world.createTenant();
    await createMap(world, full, { bytes: 10 * 1024 ** 3 });
    await upload(mapFile(), { owner: full }).expect(409);
    expect(storedFiles(full)).toEqual([]);
  });

  it('returns 413 after 200 MiB of 300, with bounded memory, and keeps nothing', async () => {
    const piece = Buffer.alloc(64 * 1024);
    const before = process.memoryUsage.rss();
    let most = 0;
    const { status, code, sentBytes } = await sendEndless(piece, 300 * 1024 * 1024, () => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    });
    expect([status, code]).toEqual([413, 'payload_too_large']);
    expect(sentBytes).toBeGreaterThanOrEqual(200 * 1024 * 1024);
    expect(sentBytes).toBeLessThan(250 * 1024 * 1024);
    expect(most).toBeLessThan(120 * 1024 * 1024);
    await untilTidy();
  });

  it('leaves nothing of an interrupted upload', async () => {
    await untilTidy();
    const before = await filesInRows();
    const socket = await beginUpload(1_000_000);
    socket.write(mapFile().subarray(0, 500));
    await until(async () => (await filesInRows()).length > before.length, 'the beginning');
    socket.destroy();
    await until(async () => (await filesInRows()).length === before.length, 'the end');
    await untilTidy();
  });
});

/** A connection on which the head of an upload was sent. */
async function beginUpload(bytes: number) {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head =
    '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nBig\r\n' +
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.map"\r\n' +
    'Content-Type: application/octet-stream\r\n\r\n';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.owner.token}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${head.length + bytes}\r\n\r\n${head}`,
  );
  return socket;
}

/** Sends a map of well-formed chunks until the response arrives. */
async function sendEndless(piece: Buffer, bytes: number, look: () => void) {
  const socket = await beginUpload(bytes);
  let reply = '';
  const responded = Promise.withResolvers<void>();
  socket.on('data', (data) => {
    reply += data.toString();
    responded.resolve();
  });
  const start = mapFile();
  socket.write(start);
  let sentBytes = start.byteLength;
  const chunk = Buffer.concat([Buffer.from([0, 0x80, 0x80, 0x04]), piece]);
  while (reply === '' && sentBytes < bytes) {
    look();
    if (!socket.write(chunk))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), responded.promise]);
    else await new Promise(setImmediate);
    sentBytes += chunk.byteLength;
  }
  await until(() => reply.includes('payload_too_large') || socket.destroyed, 'the response');
  socket.destroy();
  const [head = '', body = '{}'] = reply.split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    code: (JSON.parse(body) as { code?: string }).code,
    sentBytes,
  };
}

describe('listMaps', () => {
  it('returns 200 newest first, filtered by name and by whether they are public', async () => {
    const owner = await world.createTenant();
    const list = async (query: string) => {
      const { body } = await world.call('get', `${path}${query}`, owner.owner).expect(200);
      return (body as { data: GameMap[] }).data.map(({ name }) => name);
    };
    await createMap(world, owner, { name: 'Alpha 100%' });
    await createMap(world, owner, { name: 'Beta', public_secret: randomUUID() });
    expect(await list('')).toEqual(['Beta', 'Alpha 100%']);
    expect(await list('?q=ALPHA')).toEqual(['Alpha 100%']);
    expect(await list('?q=0%25')).toEqual(['Alpha 100%']);
    expect(await list('?q=_')).toEqual([]);
    expect(await list('?is_public=true')).toEqual(['Beta']);
    expect(await list('?is_public=false')).toEqual(['Alpha 100%']);
  });
});

describe('updateMap', () => {
  it('returns 200 with the new name, and 412 for an outdated version', async () => {
    const { id } = await uploaded();
    const { body, headers } = await update(id, { name: 'Renamed' }).set('If-Match', '"1"').expect(200);
    expect(body).toMatchObject({ name: 'Renamed', version: 2 });
    expect(headers['etag']).toBe('"2"');
    const { body: stale } = await update(id, { name: 'Late' }).set('If-Match', '"1"').expect(412);
    expect(stale).toMatchObject({ code: 'stale_version' });
  });

  it('gives a public map a URL, which stays the same until the map is private again', async () => {
    const { id } = await uploaded(mapFile(), { name: 'For all!' });
    const change = async (changes: object) => (await update(id, changes).expect(200)).body as GameMap;
    const { public_url: url } = await change({ is_public: true });
    expect(url).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/api\/public\/maps\/[\w-]{43}\/for-all-[0-9a-f]{12}\.map$/,
    );
    expect((await change({ is_public: true })).public_url).toBe(url);
    expect((await change({ is_public: false })).public_url).toBeNull();
    expect((await change({ is_public: true })).public_url).not.toBe(url);
  });
});

describe('downloadMap', () => {
  it('returns 200 with the bytes, 206 with a range of them', async () => {
    const file = mapFile();
    const { id } = await uploaded(file);
    const get = () => bytesOf(world.call('get', `${path}/${id}/download`, tenant.owner));
    const whole = await get().expect(200);
    expect(sha256(whole.body as Buffer)).toBe(sha256(file));
    expect(whole.headers).toMatchObject({
      'content-length': String(file.byteLength),
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      etag: `"${sha256(file)}"`,
    });
    const size = file.byteLength;
    for (const [range, first, last] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=100-', 100, size - 1],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=1-${size * 2}`, 1, size - 1],
    ] as const) {
      const part = await get().set('Range', range).expect(206);
      expect(part.headers['content-range']).toBe(`bytes ${first}-${last}/${size}`);
      expect(part.body).toEqual(file.subarray(first, last + 1));
    }
    for (const range of [
      'bytes=5-1',
      `bytes=${size}-`,
      'bytes=-',
      'bytes=0-1,3-4',
      'lines=1-2',
      'bytes=-0',
      'x',
    ])
      await get().set('Range', range).expect(200);
    await get().set('Range', 'bytes=0-0').set('If-Range', '"other"').expect(200);
    await get()
      .set('Range', 'bytes=0-0')
      .set('If-Range', `"${sha256(file)}"`)
      .expect(206);
  });
});

describe('downloadPublicMap', () => {
  it('returns 200 for every caller with the URL, 304 for a current copy, and 404 once it is private', async () => {
    const file = mapFile();
    const { id } = await uploaded(file);
    const { body } = await update(id, { is_public: true }).expect(200);
    const { pathname } = new URL((body as GameMap).public_url ?? '');
    const whole = await bytesOf(world.call('get', pathname)).expect(200);
    expect(sha256(whole.body as Buffer)).toBe(sha256(file));
    expect(whole.headers['cache-control']).toBe('public, no-cache');
    const { headers } = await world
      .call('get', pathname)
      .set('If-None-Match', `W/"${sha256(file)}"`)
      .expect(304);
    expect(headers['etag']).toBe(`"${sha256(file)}"`);
    await world.call('get', pathname).set('Range', 'bytes=0-3').expect(206);
    await update(id, { name: 'Renamed since' }).expect(200);
    await world.call('get', pathname).expect(200);
    await world.call('get', pathname.replace(/maps\/./, 'maps/!')).expect(400);
    await update(id, { is_public: false }).expect(200);
    await world.call('get', pathname).expect(404);
  });

  it('returns 404 for a revoked license', async () => {
    const former = await world.createTenant();
    const secret = 'x'.repeat(43);
    await createMap(world, former, { public_secret: secret, name: 'old', sha256: 'a'.repeat(64) });
    await world
      .call('patch', `/api/admin/licenses/${former.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    await world.call('get', `/api/public/maps/${secret}/old-${'a'.repeat(12)}.map`).expect(404);
  });
});

describe('deleteMap', () => {
  it('returns 204, and deletes the file too', async () => {
    const { id } = await uploaded();
    await world.call('delete', `${path}/${id}`, tenant.owner).set('If-Match', '"9"').expect(412);
    await world.call('delete', `${path}/${id}`, tenant.owner).set('If-Match', '"1"').expect(204);
    await world.call('get', `${path}/${id}`, tenant.owner).expect(404);
    await untilTidy();
  });

  it('returns 409 map_in_use while an instance has it', async () => {
    const { id } = await uploaded();
    const deployment = await createMapDeployment(world, tenant, { map_id: id });
    const { body } = await world.call('delete', `${path}/${id}`, tenant.owner).expect(409);
    expect(body).toMatchObject({ code: 'map_in_use' });
    await world.database.query(
      `update command set status = 'failed', error_code = 'map_not_fetched' from map_deployment as deployment
       where deployment.id = $1 and command.id = deployment.command_id`,
      [deployment],
    );
    await world.call('delete', `${path}/${id}`, tenant.owner).expect(204);
  });
});

describe('leftovers of a dead process', () => {
  it('are removed, with their row', async () => {
    const socket = await beginUpload(1_000_000);
    socket.write(mapFile().subarray(0, 500));
    const stray = await until(async () => {
      const [row] = await world.database.query<{ id: string }>(
        `select id from stored_file where state = 'arriving'`,
      );
      return row !== undefined && storedFiles().includes(`${row.id}.part`) && row.id;
    }, 'the unfinished file');
    await world.database.query(
      `update stored_file set created_at = now() - interval '2 hours' where id = $1`,
      [stray],
    );
    const replica = await world.addReplica(); // sweeps at once when it starts
    await until(async () => !(await filesInRows()).includes(stray), 'the sweep');
    expect(storedFiles()).not.toContain(`${stray}.part`);
    socket.destroy();
    await replica.stop();
    await untilTidy();
  });
});

describe('deployMap', () => {
  let agent: TestAgent;
  let instanceId: string;

  beforeAll(async () => {
    agent = await TestAgent.connect(world, tenant);
    instanceId = await createInstance(world, tenant, { host_id: agent.hostId });
    await agent.hello([]);
    agent.acceptCommands();
  });

  const deployments = () => `/api/instances/${instanceId}/map-deployments`;
  const deploy = (mapId: string) => world.call('post', deployments(), tenant.owner).send({ map_id: mapId });
  const deployed = async (mapId: string) => (await deploy(mapId).expect(202)).body as Deployment;
  const get = async (id: string) =>
    (await world.call('get', `${deployments()}/${id}`, tenant.owner).expect(200)).body as Deployment;
  const sent = (commandId: string) =>
    until(() => agent.commands.find(({ id }) => id === commandId), 'the command');
  const untilStatus = (id: string, status: Deployment['status']) =>
    until(async () => (await get(id)).status === status, `the status ${status}`);

  it('returns 202, and an agent gets a link from which it can download the map', async () => {
    const file = mapFile();
    const map = await uploaded(file, { name: 'Deployed' });
    const deployment = await deployed(map.id);
    expect(deployment).toMatchObject({
      map_id: map.id,
      status: expect.stringMatching(/^(pending|downloading)$/),
      path: `maps/deployed-${map.sha256.slice(0, 12)}.map`,
      requested_by: tenant.owner.email,
    });
    const { args } = await sent(deployment.command_id);
    expect(args).toEqual({
      map: {
        map_id: map.id,
        sha256: map.sha256,
        bytes: file.byteLength,
        file_name: `deployed-${map.sha256.slice(0, 12)}.map`,
        url: expect.stringContaining(`${world.url}/api/agent/maps/${map.id}?`),
      },
    });
    await untilStatus(deployment.id, 'downloading');
    const { url } = args['map'] as { url: string };
    const { body } = await bytesOf(world.call('get', url.slice(world.url.length))).expect(200);
    expect(sha256(body as Buffer)).toBe(sha256(file));
    const { body: busy } = await world
      .call('delete', `${deployments()}/${deployment.id}`, tenant.owner)
      .expect(409);
    expect(busy).toMatchObject({ code: 'map_in_use' });
    await agent.finish(deployment.command_id, { detail: 'It is there.' });
    await untilStatus(deployment.id, 'deployed');

    const rows = await world.database.query<{ args: object; entry: object }>(
      `select command.args, entry.after as entry from command
       join audit_entry as entry on entry.target_id = command.id::text where command.id = $1`,
      [deployment.command_id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('signature');

    const { body: removing } = await world
      .call('delete', `${deployments()}/${deployment.id}`, tenant.owner)
      .expect(202);
    expect(removing).toMatchObject({ status: 'removing' });
    const removal = await sent((removing as Deployment).command_id);
    expect(removal).toMatchObject({ verb: 'remove_map', args: { file_name: expect.any(String) } });
    await agent.finish(removal.id);
    await untilStatus(deployment.id, 'removed');
    await world.call('delete', `${path}/${map.id}`, tenant.owner).expect(204);
  });

  it('creates one deployment for repeated requests, and reports why it failed', async () => {
    const { id } = await uploaded();
    const [first, second] = await Promise.all([deployed(id), deployed(id)]);
    expect(first.id).toBe(second.id);
    const { command_id: last } = await get(first.id);
    await sent(last);
    await agent.finish(last, { status: 'failed', error_code: 'map_not_fetched', detail: 'Cut off.' });
    await untilStatus(first.id, 'failed');
    expect(await get(first.id)).toMatchObject({
      error: { code: 'map_not_fetched', detail: 'Cut off.' },
      detail: null,
    });
    const again = await deployed(id);
    expect(again).toMatchObject({
      id: first.id,
      status: expect.stringMatching(/^(pending|downloading)$/),
      error: null,
    });
    const { body } = await world.call('get', deployments(), tenant.owner).expect(200);
    expect((body as { data: Deployment[] }).data[0]).toMatchObject({ id: first.id });
  });

  it('gives a link that is valid for nothing else', async () => {
    const map = await uploaded();
    const deployment = await deployed(map.id);
    const { args } = await sent(deployment.command_id);
    const { url } = args['map'] as { url: string };
    const other = await uploaded();
    const neighbour = await createInstance(world, tenant);
    const outsider = await world.createTenant();
    const changed = (change: (link: URL) => void) => {
      const link = new URL(url);
      change(link);
      return link.pathname + link.search;
    };
    const set = (name: string, value: string) => changed(({ searchParams }) => searchParams.set(name, value));
    const expires = Number(new URL(url).searchParams.get('expires'));
    const signature = new URL(url).searchParams.get('signature') ?? '';
    const last = signature.endsWith('A') ? 'Q' : 'A';
    for (const bad of [
      set('instance_id', neighbour),
      set('instance_id', someId),
      set('license_id', outsider.license.id),
      set('expires', String(expires + 1)),
      set('expires', '0'),
      set('signature', 'A'.repeat(43)),
      set('signature', signature.slice(0, -1) + last),
      changed((link) => (link.pathname = `/api/agent/maps/${other.id}`)),
    ]) {
      const { status, body } = await world.call('get', bad);
      expect([bad, status, body]).toMatchObject([bad, 401, { code: 'invalid_link' }]);
    }
    await world
      .call(
        'get',
        changed(() => undefined),
      )
      .expect(200);
    await world.database.query('delete from game_instance where id = $1', [neighbour]);
    await world.database.query(`update license set status = 'revoked' where id = $1`, [tenant.license.id]);
    await world
      .call(
        'get',
        changed(() => undefined),
      )
      .expect(401);
    await world.database.query(`update license set status = 'active' where id = $1`, [tenant.license.id]);
  });
});
