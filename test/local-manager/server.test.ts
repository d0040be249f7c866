// The server within the virtual machine: visibility, game settings and characters.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { ManagerWorld } from './support/manager.ts';

const schema = resolve(import.meta.dirname, '../../local-manager/stand-ins/game-database.sql');

let database: TestDatabase;
let at: ManagerWorld;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await database.query(await readFile(schema, 'utf8'));
  at = await ManagerWorld.start({ databaseUrl: database.url });
});

afterAll(async () => {
  await at.stop();
  await database.drop();
});

/** The files as installed, which the manager has not changed yet. */
function installSettings(): void {
  rmSync(join(at.home, 'game-config'), { recursive: true, force: true });
  at.world.guest.install();
}

describe('the visibility', () => {
  const change = (advertisedIp: unknown) => at.post('/api/server-visibility', { advertisedIp });

  it('lists the ports to forward to the virtual machine', async () => {
    const { body } = await at.get('/api/server-visibility?detectPublicIp=true');
    expect(body).toMatchObject({
      advertisedIp: '192.168.1.50',
      vmIp: '127.0.0.1',
      publicIp: '203.0.113.7',
      directorPort: 31234,
      isWan: true,
      portForwardTarget: '127.0.0.1',
    });
    expect(
      body.portForward.map(({ port, protocol }: Record<string, string>) => `${port} ${protocol}`),
    ).toEqual(['31982 TCP', '31234 TCP', '7777-7810 UDP']);
  });

  it('changes line 4 alone, backs up the file, and takes effect with a stop and a start', async () => {
    const file = at.world.guest.settingsFile;
    const before = Buffer.from(
      'Sietch\r\nregistry/seabass:1\r\n192.168.1.50\r\n198.51.100.1\r\n# caf\xe9\r\nrest',
      'latin1',
    );
    writeFileSync(file, before);
    const { status, body } = await change('203.0.113.7');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        advertisedIp: '203.0.113.7',
        previousIp: '198.51.100.1',
        isWan: true,
        requiresBattlegroupRestart: true,
      },
    });
    expect(readFileSync(file, 'latin1')).toBe(
      before.toString('latin1').replace('198.51.100.1', '203.0.113.7'),
    );
    expect(readFileSync(`${file}.bak`).equals(before)).toBe(true);
    expect((await change('203.0.113.7')).body).toMatchObject({ requiresBattlegroupRestart: false });
    await at.done('/api/battlegroup/start');
    expect((await at.get('/api/server-visibility')).body).toMatchObject({
      registeredIp: '203.0.113.7',
      isInEffect: true,
    });
    await change(null);
    expect((await at.get('/api/server-visibility')).body).toMatchObject({
      advertisedIp: null,
      isInEffect: false,
    });
    await at.done('/api/battlegroup/stop');
  }, 240_000);

  it('creates a missing file with three lines before it', async () => {
    rmSync(at.world.guest.settingsFile);
    await change('203.0.113.9');
    expect(readFileSync(at.world.guest.settingsFile, 'utf8')).toBe('\n\n\n203.0.113.9\n');
  });

  it.each([
    '0.0.0.0',
    '127.0.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '169.254.1.1',
    '999.1.1.1',
    '1.2.3',
    '010.0.0.1',
    '1.2.3.4; id',
  ])('rejects %s', async (address) => {
    expect((await change(address)).body.code).toBe('invalid_address');
  });
});

describe('the game settings', () => {
  beforeEach(installSettings);

  const read = () => at.get('/api/game-config');
  const write = (changes: object[], tag: string | null) =>
    at.call('PATCH', '/api/game-config', { changes }, { 'If-Match': tag ?? '' });
  const setting = (
    key: string,
    value: string | null,
    section = 'ConsoleVariables',
    file = 'UserEngine.ini',
  ) => ({
    ...{ file, section, key, value },
  });
  const valueOf = (body: { settings: { key: string; value: string }[] }, key: string) =>
    body.settings.find((row) => row.key === key)?.value;

  it('are saved by section and spelling, with every other line unchanged, and restart nothing', async () => {
    const file = join(at.world.guest.settingsFolder, 'UserEngine.ini');
    const before = readFileSync(file, 'utf8');
    const commands = at.world.commands.length;
    const { body, headers } = await read();
    expect(body.drift).toBe('none');
    const saved = await write(
      [
        setting('Bgd.ServerDisplayName', 'Arrakeen'),
        setting('Bgd.ServerLoginPassword', 'open sesame'),
        setting('Sandstorm.Enabled', 'false'),
        setting('Port', '7800', 'URL'),
        setting('IGWPort', '7900', 'URL'),
      ],
      headers.get('etag'),
    );
    expect(saved.status).toBe(200);
    expect(readFileSync(file, 'utf8')).toBe(
      before
        .replace('"Sietch Tabr"', '"Arrakeen"')
        .replace(
          'Sandstorm.Enabled=1\r\n',
          'Sandstorm.Enabled=0\r\nBgd.ServerLoginPassword="open sesame"\r\n',
        )
        .replace('7777', '7800')
        .replace('7888', '7900'),
    );
    expect(readFileSync(`${file}.bak`, 'utf8')).toBe(before);
    expect(valueOf(saved.body, 'Bgd.ServerLoginPassword')).toBe('•••');
    expect(JSON.stringify(saved.body)).not.toContain('sesame');
    expect(saved.body).toMatchObject({ drift: 'differs', driftDetail: expect.stringContaining('Port') });
    expect(at.world.commands).toHaveLength(commands);

    expect((await write([setting('Port', '7777', 'URL')], headers.get('etag'))).body.code).toBe(
      'stale_version',
    );
    expect(await at.done('/api/game-config/deploy')).toMatchObject({
      result: { requiresBattlegroupRestart: true },
    });
    expect((await read()).body).toMatchObject({ drift: 'none', driftDetail: null });
  });

  it('report that an update has reset them', async () => {
    const { headers } = await read();
    await write(
      [
        setting(
          'm_bAreSecurityZonesEnabled',
          'false',
          '/Script/DuneSandbox.SecurityZonesSubsystem',
          'UserGame.ini',
        ),
      ],
      headers.get('etag'),
    );
    at.world.guest.install();
    const { body } = await read();
    expect(body.drift).toBe('differs');
    expect(body.driftDetail).toContain('m_bAreSecurityZonesEnabled');
  });

  const readFiles = async () => {
    const { body, headers } = await at.get('/api/game-config/files');
    return { files: body as { engine: string; game: string }, tag: headers.get('etag') ?? '' };
  };
  const saveRaw = async (change: (files: { engine: string; game: string }) => object) => {
    const { files, tag } = await readFiles();
    const saved = await at.call('PUT', '/api/game-config/files', change(files), { 'If-Match': tag });
    expect(saved.status).toBe(200);
  };

  it('differ from those of the servers by any line, known or not, until they are applied', async () => {
    const lines = ['Dune.Unknown=2', '+Dune.List=A', 'a line without a value'];
    await saveRaw((files) => ({
      ...files,
      engine: `${files.engine}\r\n[Mine]\r\n${lines.join('\r\n')}\r\n`,
    }));
    const { body } = await read();
    expect(body).toMatchObject({
      drift: 'differs',
      driftDetail: 'The servers have other values of Dune.Unknown, +Dune.List, [Mine].',
    });
    await at.done('/api/game-config/deploy');
    expect((await read()).body).toMatchObject({ drift: 'none', driftDetail: null });

    await saveRaw((files) => ({ ...files, engine: files.engine.replace('+Dune.List=A', '+Dune.List=B') }));
    expect((await read()).body.driftDetail).toBe('The servers have other values of +Dune.List.');
    await saveRaw((files) => ({ ...files, engine: files.engine.replace('+Dune.List=B\r\n', '') }));
    expect((await read()).body.driftDetail).toBe('The servers have other values of +Dune.List.');
  });

  it('do not differ by comments, blank lines, sections in another order, or another notation', async () => {
    await saveRaw((files) => ({
      engine: `; Mine\r\n\r\n${files.engine.replace('Sandstorm.Enabled=1', 'Sandstorm.Enabled = True')}`,
      game: files.game,
    }));
    expect((await read()).body).toMatchObject({ drift: 'none', driftDetail: null });
  });

  it('report that an update has reset a line that the manager does not know', async () => {
    await saveRaw((files) => ({ ...files, game: `${files.game}\n[Mine]\nDune.Unknown=2\n` }));
    at.world.guest.install();
    expect((await read()).body).toMatchObject({
      drift: 'differs',
      driftDetail: 'Dune.Unknown changed outside the manager, for example by an update.',
    });
  });

  it.each([
    ['invalid_setting', setting('Unknown', '1')],
    ['invalid_setting', setting('Sandstorm.Enabled', 'maybe')],
    ['invalid_setting', setting('Port', '80', 'URL')],
    ['invalid_setting', setting('IGWPort', '7780', 'URL')],
    ['invalid_setting', setting('Bgd.ServerDisplayName', 'a"\nEvil=1')],
    ['validation_failed', setting('Port', '7777', 'URL', '../../etc/passwd')],
  ])('are rejected with %s for %j', async (code, change) => {
    const version = (await read()).headers.get('etag');
    expect((await write([change], version)).body.code).toBe(code);
  });

  it('are rejected with the location of an error, and for repeated changes', async () => {
    const { headers } = await read();
    const fine = setting('Sandstorm.Enabled', 'true');
    const wrong = await write([fine, setting('Port', '99999', 'URL')], headers.get('etag'));
    expect(wrong.body.errors).toEqual([
      { in: 'body', pointer: '/changes/1/value', detail: '“First game port” must be from 1024 to 65535.' },
    ]);
    const twice = await write([fine, setting('Sandstorm.Enabled', 'false')], headers.get('etag'));
    expect(twice).toMatchObject({
      status: 422,
      body: { code: 'invalid_setting', errors: [{ in: 'body', pointer: '/changes/1' }] },
    });
  });
});

describe('characters', () => {
  it('are listed page by page, with their ids', async () => {
    const first = await at.get('/api/characters?limit=2');
    expect(first.body).toMatchObject({
      data: [
        {
          id: '4711',
          name: 'Stilgar',
          onlineStatus: 'Offline',
          isOnline: false,
          lastLoginAt: '2026-11-20T18:00:00.000Z',
        },
        { id: '4712', name: 'Chani', onlineStatus: 'Online', isOnline: true },
      ],
      nextCursor: '4712',
    });
    const second = await at.get('/api/characters?limit=2&cursor=4712');
    expect(second.body).toMatchObject({ data: [{ id: '4713', name: 'Liet' }], nextCursor: null });
  });

  it('show their unlocked items, and the badge of the tech tree', async () => {
    const { body } = await at.get('/api/characters/4712');
    expect(body).toMatchObject({
      map: 'Survival_1',
      tech: { purchased: 101, inSave: 128, inGame: 356, points: 120 },
    });
    const tech = (await at.get('/api/characters/4712/tech')).body;
    expect(tech.nodes).toHaveLength(484);
    expect(tech.nodes).toContainEqual({
      key: 'RCP_Thing1',
      kind: 'recipe',
      state: 'purchased',
      isInCatalog: false,
    });
    expect((await at.get('/api/tech-catalog')).body.total).toBe(356);
    for (const id of ['9999', '9999999999999999999'])
      expect((await at.get(`/api/characters/${id}`)).status).toBe(404);
    expect((await at.get('/api/characters/1%3Bdrop')).status).toBe(400);
    const tooFar = await at.get('/api/characters?cursor=9223372036854775808');
    expect({ status: tooFar.status, errors: tooFar.body.errors }).toMatchObject({
      status: 400,
      errors: [{ in: 'query', pointer: '/cursor' }],
    });
  });

  it('get everything unlocked at once, keep what they had, and gain nothing the second time', async () => {
    const first = await at.post('/api/characters/4711/tech/unlock-all');
    expect(first).toMatchObject({
      status: 200,
      body: { added: 356, purchased: 27, previous: 128, total: 484, catalogTotal: 356, points: 99999 },
    });
    const backup = JSON.parse(readFileSync(join(at.home, first.body.backupFile), 'utf8'));
    expect(backup.knowledge.m_TechKnowledge.m_TechKnowledgeData).toHaveLength(128);
    const [row] = await database.query('select properties from dune.actors where id = 4711');
    const { m_TechKnowledgePoints, m_TechKnowledge } = row?.properties.TechKnowledgePlayerComponent ?? {};
    expect(m_TechKnowledgePoints).toBe(99999);
    expect(
      m_TechKnowledge.m_TechKnowledgeData.slice(0, 2).map(({ ItemKey }: { ItemKey: string }) => ItemKey),
    ).toEqual(['RCP_Thing1', 'RCP_Thing2']);
    expect(row?.properties.OtherComponent).toEqual({ kept: true });
    expect((await at.get('/api/characters/4711')).body.tech).toEqual({
      purchased: 484,
      inSave: 484,
      inGame: 356,
      points: 99999,
    });
    expect((await at.post('/api/characters/4711/tech/unlock-all')).body).toMatchObject({
      added: 0,
      purchased: 0,
      total: 484,
    });
  });

  it.each([
    ['4712', 409, 'character_online'],
    ['4713', 409, 'no_tech_data'],
    ['9999', 404, 'not_found'],
  ])('are unchanged when %s returns %i %s', async (id, status, code) => {
    const before = await database.query('select properties from dune.actors order by id');
    const response = await at.post(`/api/characters/${id}/tech/unlock-all`);
    expect({ status: response.status, code: response.body.code }).toEqual({ status, code });
    expect(await database.query('select properties from dune.actors order by id')).toEqual(before);
    expect(readdirSync(join(at.home, 'backups')).filter((name) => name.includes(id))).toEqual([]);
  });
});

describe('the files of the game settings', () => {
  beforeEach(installSettings);

  const read = () => at.get('/api/game-config/files');
  const write = (body: unknown, tag: string | null) =>
    at.call('PUT', '/api/game-config/files', body, { 'If-Match': tag ?? '' });

  it('are replaced as text, with the version of the settings and without the password', async () => {
    const file = join(at.world.guest.settingsFolder, 'UserEngine.ini');
    const before = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      before.replace(';Bgd.ServerLoginPassword=""', 'Bgd.ServerLoginPassword="arrakis-secret"'),
    );
    const { body, headers } = await read();
    expect(body.engine).toContain('Bgd.ServerLoginPassword="•••"');
    expect(headers.get('etag')).toBe((await at.get('/api/game-config')).headers.get('etag'));
    const engine = `${body.engine}\r\n[Another.Section]\r\nUnknown=1\r\n`;
    const saved = await write({ ...body, engine }, headers.get('etag'));
    expect(saved.status).toBe(200);
    expect(readFileSync(file, 'utf8')).toContain('Bgd.ServerLoginPassword="arrakis-secret"\r\n');
    expect(readFileSync(file, 'utf8')).toContain('[Another.Section]\r\nUnknown=1\r\n');
    const late = await write(body, headers.get('etag'));
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 412, code: 'stale_version' });
  });

  it('are refused with an invalid value of a known setting', async () => {
    const { body, headers } = await read();
    const engine = body.engine.replace('Port=7777', 'Port=99999');
    const { status, body: problem } = await write({ ...body, engine }, headers.get('etag'));
    expect({ status, code: problem.code }).toEqual({ status: 422, code: 'invalid_setting' });
    expect(problem.errors[0].pointer).toBe('/engine');
  });
});
