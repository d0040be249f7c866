// Operations of the area `plugin-configs`, with a real agent beside a simulated Rust server.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { readKinds } from '../../scripts/plugin-kinds.ts';
import { contract, someId } from '../support/contract.ts';
import { PluginHost, pluginSource } from '../support/plugin-host.ts';
import { createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';

type Schemas = components['schemas'];

const declaredKinds = readKinds();

let host: PluginHost;

beforeAll(async () => {
  host = await PluginHost.open();
  await host.startServer();
  host.write('plugins/GatherManager.cs', pluginSource('GatherManager'));
});

afterAll(async () => {
  await host.close();
});

const said = ({ status, body }: Response) => ({ status, code: (body as { code?: string }).code });

const file = 'config/GatherManager.json';
const rates = { all: 2, wood: 3, others: { Scrap: 1.5 } };
const config = { gather: rates, settings: { chat_prefix: 'Gathering' } };
const present = `{
  // of ours
  "Options": {
    "GatherResourceModifiers": { "*": 1.0 },
    "Unknown": 18446744073709551615
  },
  "Messages": { "Hello": "World" },
}
`;

describe('configurations', () => {
  it('are created, read, listed, updated, duplicated and deleted', async () => {
    const { body, headers } = await host
      .call('post', 'gather', { name: 'Weekend', config_data: config })
      .expect(201);
    expect(headers['etag']).toBe('"1"');
    expect(body).toMatchObject({
      name: 'Weekend',
      config_data: config,
      version: 1,
      updated_by: host.tenant.owner.email,
    });
    const { id } = body as { id: string };
    expect(Object.keys((body as { config_data: object }).config_data)).toEqual(Object.keys(config));
    expect((await host.call('get', `gather/${id}`).expect(200)).body).toEqual(body);
    const { body: page } = await host.call('get', 'gather').query({ q: 'WEEK' }).expect(200);
    expect(page).toMatchObject({ data: [{ id, name: 'Weekend', version: 1 }], next_cursor: null });
    expect((page as { data: object[] }).data[0]).not.toHaveProperty('config_data');

    const changed = await host
      .call('patch', `gather/${id}`, { config_data: { gather: { all: 5 } } })
      .set('If-Match', '"1"')
      .expect(200);
    expect(changed.body).toMatchObject({ config_data: { gather: { all: 5 } }, version: 2 });
    expect(said(await host.call('patch', `gather/${id}`, { name: 'Other' }).set('If-Match', '"1"'))).toEqual({
      status: 412,
      code: 'stale_version',
    });
    const copy = await host.call('post', `gather/${id}/duplicate`, { name: 'Copy' }).expect(201);
    expect(copy.body).toMatchObject({ name: 'Copy', config_data: { gather: { all: 5 } }, version: 1 });
    expect(said(await host.call('post', `gather/${id}/duplicate`, { name: 'Copy' }))).toEqual({
      status: 409,
      code: 'name_taken',
    });
    // Another kind has its own names, and does not know those of this one.
    await host.create('teleport', {}, 'Copy');
    expect(said(await host.call('get', `teleport/${id}`))).toEqual({ status: 404, code: 'not_found' });
    expect(said(await host.call('delete', `gather/${id}`).set('If-Match', '"1"'))).toEqual({
      status: 412,
      code: 'stale_version',
    });
    await host.call('delete', `gather/${id}`).expect(204);
    expect(said(await host.call('get', `gather/${id}`))).toEqual({ status: 404, code: 'not_found' });
  });

  it('with a wrong value are rejected with its location', async () => {
    const { body } = await host
      .call('post', 'gather', { name: 'Wrong', config_data: { gather: { wood: -1 } } })
      .expect(400);
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [{ in: 'body', pointer: '/config_data/gather/wood' }],
    });
    await host.call('post', 'gather', { name: 'Wrong', config_data: { unknown: 1 } }).expect(400);
  });

  it('of another kind than the path are refused with the reason', async () => {
    const { id } = await host.create('gather', config);
    for (const [method, path] of [
      ['post', 'gather'],
      ['post', 'gather/validate'],
      ['patch', `gather/${id}`],
    ] as const) {
      const other = { kind: 'kits', ...(path !== 'gather/validate' && { name: 'Other' }), config_data: {} };
      const { body } = await host.call(method, path, other).expect(400);
      expect(body).toMatchObject({
        code: 'validation_failed',
        errors: [{ in: 'body', pointer: '/kind', detail: expect.stringContaining('allowed values') }],
      });
      const { kind: _kind, ...without } = other;
      const missing = await host.call(method, path, { ...without, kind: undefined }).expect(400);
      expect(missing.body).toMatchObject({ errors: [{ pointer: '/kind' }] });
    }
  });

  it('that are large are checked against the kind of the path, too', async () => {
    const large = { items: Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`item ${n}`, 1])) };
    const { body } = await host
      .call('post', 'gather', { name: 'Large', config_data: { gather: { others: large } } })
      .expect(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/config_data/gather/others/items' }] });
    const others = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`item ${n}`, 1]));
    const kits = { kind: 'kits', name: 'Large', config_data: { gather: { others } } };
    const refused = await host.call('post', 'gather', kits).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ pointer: '/kind' }] });
  });

  it('of an unknown kind are refused, and cost no permission check of another kind', async () => {
    const { body } = await host.call('get', 'no-such-kind').expect(400);
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [{ in: 'path', pointer: '/kind', detail: expect.stringContaining('allowed values') }],
    });
    await host.call('post', 'no-such-kind', { name: 'Odd', config_data: {} }).expect(400);
    await host.call('get', 'constructor').expect(400);
  });

  it.each(declaredKinds)(
    'of the kind $name take the example of the contract, and its files',
    async (kind) => {
      const { name, noun, exampleFiles } = kind;
      const example = contract.components.schemas[`${noun}ConfigData`]?.example as object;
      const { id } = await host.create(name, example);
      expect((await host.call('get', `${name}/${id}`).expect(200)).body).toMatchObject({
        kind: name,
        config_data: example,
      });
      const files = { name: 'From files', files: exampleFiles };
      const { body } = await host.call('post', `${name}/import`, files).expect(201);
      expect(body).toMatchObject({ config: { kind: name } });
    },
  );

  it('that contain console commands require the permission for them', async () => {
    const { token } = await host.world.addMemberWith(host.tenant, { 'pluginconfigs.*': true });
    const commands = { kind: 'timed-commands', name: 'Greetings', config_data: { on_connect: ['say Hi'] } };
    const send = (kind: string, body: object) =>
      host.world.call('post', `/api/plugin-configs/${kind}`, { token }).send(body);
    const { body } = await send('timed-commands', commands).expect(403);
    expect(body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('console.input') });
    await send('gather', { kind: 'gather', name: 'Allowed', config_data: config }).expect(201);
    const explain = async (kind: string) => {
      const query = `operation=createPluginConfig&kind=${kind}`;
      const reply = await host.world.call('get', `/api/permissions/explain?${query}`, { token }).expect(200);
      return (reply.body as Schemas['AccessExplanation']).is_allowed;
    };
    expect([await explain('gather'), await explain('timed-commands')]).toEqual([true, false]);
  });

  it('that no longer match the contract return an internal error, and can be replaced', async () => {
    const { id } = await host.create('gather', config);
    const stale = JSON.stringify({ gather: { all: 'much' } });
    await host.world.database.query('update plugin_config set config_data = $1 where id = $2', [stale, id]);
    expect(said(await host.call('get', `gather/${id}`))).toEqual({ status: 500, code: 'internal' });
    await host.call('patch', `gather/${id}`, { config_data: config }).expect(200);
    await host.call('get', `gather/${id}`).expect(200);
  });

  it('hold ids that exceed the precision of a double', async () => {
    const { id } = await host.create('teleport', { settings: { chat_steam64id: '18446744073709551615' } });
    const { body } = await host
      .call('get', `teleport/${id}/export`)
      .query({ framework: 'carbon' })
      .expect(200);
    expect(body).toEqual({
      files: [
        {
          file: 'config/NTeleportation.json',
          path: 'carbon/configs/NTeleportation.json',
          content: '{\n  "Settings": {\n    "Chat Steam64ID": 18446744073709551615\n  }\n}\n',
        },
      ],
    });
    const tooLarge = { settings: { chat_steam64id: '18446744073709551616' } };
    await host.call('post', 'teleport', { name: 'Wrong', config_data: tooLarge }).expect(400);
  });

  it('have defaults, presets and a validation', async () => {
    const { body: defaults } = await host.call('get', 'gather/defaults').expect(200);
    expect(defaults).toMatchObject({ config_data: { quarry_tick_seconds: 5, gather: {} } });
    const { body: presets } = await host.call('get', 'gather/presets').expect(200);
    expect((presets as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((rate) => `${rate}x`),
    );
    const { body } = await host.call('post', 'gather/validate', { config_data: config }).expect(200);
    expect(body).toEqual({ is_valid: true, faults: [], warnings: [], not_written: [] });
  });
});

describe('an application', () => {
  it('changes only the configured values, and has the plugin read them', async () => {
    host.write(file, present);
    const { id } = await host.create('gather', config);
    const { body: preview } = await host
      .call('post', `gather/${id}/preview`, { instance_id: host.instanceId })
      .expect(200);
    const [previewed] = (preview as { files: { content: string; diff: string; path: string }[] }).files;
    expect(previewed?.path).toBe('oxide/config/GatherManager.json');
    expect(previewed?.diff).toContain('-    "GatherResourceModifiers": { "*": 1.0 },');

    expect(await host.apply('gather', id)).toMatchObject({
      status: 'succeeded',
      detail: '1 file is written. GatherManager 1.0.0 is loaded.',
      error: null,
      kind: 'gather',
      plugin_config_id: id,
      config_version: 1,
      is_loaded: true,
      remarks: [],
      requested_by: host.tenant.owner.email,
      files: [{ file }],
    });
    expect(host.read(file)).toBe(previewed?.content);
    expect(host.read(file)).toBe(
      present
        .replace('{ "*": 1.0 }', '{ "*": 2.0, "Wood": 3.0, "Scrap": 1.5 }')
        .replace('"World" },', '"World" },\n  "Settings": {\n    "ChatPrefix": "Gathering"\n  },'),
    );
    // Applying again changes nothing.
    expect(await host.apply('gather', id)).toMatchObject({
      status: 'succeeded',
      detail: 'The files on the server already match. Nothing was written or reloaded.',
      is_loaded: true,
      command_id: null,
    });
  });

  it('that the plugin cannot read is rolled back', async () => {
    host.write('plugins/NTeleportation.cs', pluginSource('NTeleportation', { reads: ['Broken'] }));
    host.remove('data/Broken.json');
    host.write('config/NTeleportation.json', '{}\n');
    const { id } = await host.create('teleport', { home: { homes_limit: 7 } });
    expect(await host.apply('teleport', id)).toMatchObject({ status: 'succeeded' });
    const before = host.read('config/NTeleportation.json');
    // Another file that the plugin reads is broken, so it fails with any configuration.
    host.write('data/Broken.json', '{ broken');
    await host.call('patch', `teleport/${id}`, { config_data: { home: { homes_limit: 8 } } }).expect(200);
    expect(await host.apply('teleport', id)).toMatchObject({
      status: 'failed',
      detail: null,
      error: { code: 'plugin_failed', detail: expect.stringContaining('the former files are back') },
    });
    expect(host.read('config/NTeleportation.json')).toBe(before);
  });

  it('to a file that is not JSON fails and leaves the file', async () => {
    host.write(file, '{ "Options": ');
    const { id } = await host.create('gather', config);
    expect(await host.apply('gather', id)).toMatchObject({
      status: 'failed',
      error: { code: 'not_json', detail: expect.stringContaining(`${file}, line 1`) },
    });
    expect(host.read(file)).toBe('{ "Options": ');
    expect(said(await host.call('post', `gather/${id}/preview`, { instance_id: host.instanceId }))).toEqual({
      status: 422,
      code: 'plugin_file_unreadable',
    });
    host.remove(file);
  });

  it('of kits to a server with version 3 of the plugin fails with the reason', async () => {
    host.write('config/Kits.json', '{ "NPC - GUI Kits": {}, "CopyPaste - Parameters": [] }');
    const { id } = await host.create('kits', { kits: { vip: { items: [] } } });
    expect(await host.apply('kits', id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'not_supported',
        detail: 'The server has version 3 of Kits, which supports no part of this configuration.',
      },
    });
    expect(() => host.read('data/Kits/kits_data.json')).toThrow('ENOENT');
    host.remove('config/Kits.json');
  });

  it('to an instance whose agent is offline fails, and to an unknown instance is refused', async () => {
    const { id } = await host.create('gather', config);
    const instance_id = await createInstance(host.world, host.tenant);
    const { body } = await host.call('post', `gather/${id}/apply`, { instance_id }).expect(202);
    expect(await host.endOf((body as { id: string }).id)).toMatchObject({
      status: 'failed',
      error: { code: 'agent_offline' },
    });
    expect(said(await host.call('post', `gather/${id}/apply`, { instance_id: someId }))).toEqual({
      status: 404,
      code: 'not_found',
    });
  });

  it('applies exactly the previewed version, or is refused', async () => {
    host.write(file, present);
    const { id } = await host.create('gather', config);
    const apply = (version: number) =>
      host
        .call('post', `gather/${id}/apply`, { instance_id: host.instanceId })
        .set('If-Match', `"${version}"`);
    const { body: preview } = await host
      .call('post', `gather/${id}/preview`, { instance_id: host.instanceId })
      .expect(200);
    expect(preview).toMatchObject({ config_version: 1 });
    // Another user changes it in between.
    await host.call('patch', `gather/${id}`, { config_data: { gather: { all: 9 } } }).expect(200);
    expect(said(await apply(1))).toEqual({ status: 412, code: 'stale_version' });
    expect(host.read(file)).toBe(present);
    const { body } = await apply(2).expect(202);
    expect(await host.endOf((body as { id: string }).id)).toMatchObject({
      status: 'succeeded',
      config_version: 2,
    });
  });

  it("reports the plugin's changes to its file while loading it", async () => {
    host.write('plugins/NTeleportation.cs', pluginSource('NTeleportation'));
    host.write('config/NTeleportation.json', '{ "Home": { "Homes Limit": 2 } }');
    const { id } = await host.create('teleport', { home: { homes_limit: 90, cooldown: 60 } });
    const rewrites = '{ "Home": { "Homes Limit": 50 } }';
    host.write('plugins/NTeleportation.cs', pluginSource('NTeleportation', { rewrites }));
    // The server loads the changed plugin by itself.
    await until(() => host.read('config/NTeleportation.json') === rewrites, 'the load of the plugin');
    const ended = await host.apply('teleport', id);
    expect(ended).toMatchObject({
      status: 'succeeded',
      error: null,
      is_loaded: true,
      detail: expect.stringContaining('was rewritten by the plugin'),
      remarks: [
        { pointer: '/home/homes_limit', detail: 'The server has 50.' },
        { pointer: '/home/cooldown', detail: 'The server does not have it.' },
      ],
    });
    host.write('plugins/NTeleportation.cs', pluginSource('NTeleportation'));
  });

  it('waits for its completion where the caller prefers that', async () => {
    const { id } = await host.create('gather', { pickup: { all: 4 } });
    const { body } = await host
      .call('post', `gather/${id}/apply`, { instance_id: host.instanceId })
      .set('Prefer', 'wait=10')
      .expect(202);
    expect(body).toMatchObject({ status: 'succeeded' });
  });
});

describe('an import', () => {
  it('from a server yields the same document, and applying it changes nothing', async () => {
    host.write(file, present);
    const { body } = await host
      .call('post', 'gather/import-from-server', { name: 'As it is', instance_id: host.instanceId })
      .expect(201);
    expect(body).toMatchObject({
      config: { config_data: { gather: { all: 1 } } },
      not_read_count: 2,
      not_read: [
        {
          file,
          pointer: '/Options/Unknown',
          place: 'Options › Unknown',
          detail: 'is not known here and stays on the server as it is',
        },
        { file, pointer: '/Messages', detail: 'is not known here and stays on the server as it is' },
      ],
    });
    const { id } = (body as Schemas['PluginConfigImported']).config;
    // The platform has not seen the plugin load these files, and an unchanged file is no reason to reload it.
    expect(await host.apply('gather', id)).toMatchObject({
      status: 'succeeded',
      detail: 'The files on the server already match. Nothing was written or reloaded.',
      is_loaded: null,
      command_id: null,
    });
    expect(host.read(file)).toBe(present);
  });

  it('from a server without the file is refused', async () => {
    host.remove(file);
    const body = { name: 'Nothing', instance_id: host.instanceId };
    expect(said(await host.call('post', 'gather/import-from-server', body))).toEqual({
      status: 422,
      code: 'plugin_file_unreadable',
    });
  });

  it('from files yields the exported document', async () => {
    const { id } = await host.create('gather', config);
    const { body } = await host.call('get', `gather/${id}/export`).expect(200);
    const files = (body as { files: { file: string; content: string }[] }).files.map(({ file, content }) => ({
      file,
      content,
    }));
    const { body: imported } = await host.call('post', 'gather/import', { name: 'Back', files }).expect(201);
    expect(imported).toMatchObject({ config: { config_data: config } });
    for (const wrong of [
      { file: 'config/Other.json', content: '{}' },
      { file, content: '{' },
    ]) {
      const response = await host.call('post', 'gather/import', { name: 'Wrong', files: [wrong] });
      expect(said(response)).toEqual({ status: 422, code: 'plugin_file_unreadable' });
    }
  });

  it.each([
    [
      '{"Options": {"MiningQuarryResourceTickRate": 0.5}, "Settings": {"ChatPrefix": "x"}}',
      '/Options/MiningQuarryResourceTickRate',
    ],
    ['{"Settings": {"ChatPrefix": "a\\u0000b", "ChatPrefixColor": "#008000ff"}}', '/Settings/ChatPrefix'],
    [
      '{"Options": {"GatherResourceModifiers": {"a\\ud800": 1, "Ore": 2}}}',
      '/Options/GatherResourceModifiers/a\ufffd',
    ],
  ])(
    'from files omits unsupported values, and applying it leaves them unchanged: %s',
    async (content, pointer) => {
      const name = `Left out ${pointer.length}`;
      const { body } = await host
        .call('post', 'gather/import', { name, files: [{ file, content }] })
        .expect(201);
      const { config: created, not_read } = body as Schemas['PluginConfigImported'];
      expect(not_read).toMatchObject([
        { file, pointer, detail: expect.stringContaining('stays on the server as it is') },
      ]);
      host.write(file, content);
      await host.apply('gather', created.id);
      expect(host.read(file)).toBe(content);
      host.remove(file);
    },
  );

  it('of files that are too large together, or of a repeated file, is refused', async () => {
    const easy = ['Profiles/Easy Bases', 'Difficulty_Loot/Easy', 'Base_Loot/Easy Bases'];
    const large = easy.map((name) => `data/RaidableBases/${name}.json`);
    for (const name of large) host.write(name, ' '.repeat(15 * 1024 * 1024));
    const body = { name: 'Large', instance_id: host.instanceId };
    const response = await host.call('post', 'raidable-bases/import-from-server', body);
    expect(said(response)).toEqual({ status: 422, code: 'file_too_large' });
    for (const name of large) host.remove(name);
    const files = [file, file].map((name) => ({ file: name, content: '{}' }));
    expect(said(await host.call('post', 'gather/import', { name: 'Twice', files }))).toEqual({
      status: 422,
      code: 'plugin_file_unreadable',
    });
  });

  it.each([
    ['kits', 'data/Kits/kits_data.json', '{ "Kits": { "vip": { "items": [] } } }', 'version 3 of Kits'],
    ['kits', 'config/Kits.json', '{ "NPC - GUI Kits": {}, "Kit - Logging": true }', 'version 3 of Kits'],
    ['automatic-doors', 'config/AutoDoors.json', '{ "DefaultDelay": 5 }', 'version 2 of AutoDoors'],
    [
      'kits',
      'data/Kits/kits_data.json',
      '{ "_kits": { "vip": null } }',
      'as a configuration of the kind kits',
    ],
    ['gather', 'config/GatherManager.json', '{ "Elsewhere": 1 }', 'no part can be imported'],
    ['gather', 'config/GatherManager.json', '{}', 'no part can be imported'],
  ])('into %s of %s is refused where it would set nothing: %s', async (kind, of, content, why) => {
    const files = [{ file: of, content }];
    const response = await host.call('post', `${kind}/import`, { name: 'Empty', files });
    expect(said(response)).toEqual({ status: 422, code: 'plugin_file_unreadable' });
    expect(response.body).toMatchObject({ detail: expect.stringContaining(why) });
    host.write(of, content);
    const body = { name: 'Empty', instance_id: host.instanceId };
    expect(said(await host.call('post', `${kind}/import-from-server`, body))).toEqual({
      status: 422,
      code: 'plugin_file_unreadable',
    });
    host.remove(of);
  });

  it('counts omitted values beyond the hundred listed locations', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`Key ${index}`, 1]));
    const content = JSON.stringify({ Options: { GatherResourceModifiers: { '*': 2 } }, ...unknown });
    const { body } = await host
      .call('post', 'gather/import', { name: 'Many', files: [{ file, content }] })
      .expect(201);
    expect(body).toMatchObject({ not_read_count: 250 });
    expect((body as { not_read: unknown[] }).not_read).toHaveLength(100);
  });

  it('reports values omitted for their type', async () => {
    const content =
      '{"Settings": {"ChatPrefix": 5}, "Options": {"GatherResourceModifiers": {"Wood": "3", "Ore": 2}}}';
    const { body } = await host
      .call('post', 'gather/import', { name: 'Loose', files: [{ file, content }] })
      .expect(201);
    expect(body).toMatchObject({
      config: { config_data: { gather: { others: { Ore: 2 } }, settings: {} } },
      not_read: [
        {
          file,
          pointer: '/Settings/ChatPrefix',
          detail: 'is a number of another kind and stays on the server as it is',
        },
        { file, pointer: '/Options/GatherResourceModifiers/Wood' },
      ],
    });
  });
});

describe('warnings', () => {
  const flood = 'config/BetterChatFlood.json';
  const antiFlood = { anti_flood: { cooldown_seconds: 8, messages: 3 } };

  it('of an unknown item appear in validations and previews, and are not errors', async () => {
    const items = [{ shortname: 'rifle.ak47', amount: 1, container: 'belt' }];
    const config_data = { kits: { starter: { items } } };
    const warnings = [
      {
        pointer: '/kits/starter/items/0/shortname',
        place: 'kits › starter › items[0] › shortname',
        detail: expect.stringMatching(/^rifle\.ak47 is not an item of the catalog; the plugin fails/),
      },
    ];
    const { body } = await host.call('post', 'kits/validate', { config_data }).expect(200);
    expect(body).toEqual({ is_valid: true, faults: [], warnings, not_written: [] });
    const { id } = await host.create('kits', config_data);
    const preview = await host.call('post', `kits/${id}/preview`, {}).expect(200);
    expect(preview.body).toMatchObject({ warnings });
  });

  it('of a missing plugin name it, before and after', async () => {
    const { id } = await host.create('chat', antiFlood);
    const preview = () =>
      host.call('post', `chat/${id}/preview`, { instance_id: host.instanceId }).expect(200);
    expect((await preview()).body).toMatchObject({
      files: [{ file: flood, is_changed: true }],
      warnings: [
        {
          pointer: '/anti_flood',
          detail: `BetterChatFlood is not loaded on the server, and nothing else reads ${flood}.`,
        },
      ],
    });
    expect(await host.apply('chat', id)).toMatchObject({
      status: 'succeeded',
      detail: '1 file is written. BetterChatFlood is not loaded: nothing reads what it has there.',
      is_loaded: false,
    });
    // Nothing would be written any more.
    expect((await preview()).body).toMatchObject({
      files: [{ file: flood, is_changed: false }],
      warnings: [],
    });
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ['a symbolic link', (path) => symlinkSync('/etc/hostname', path), /It is a symbolic link\./],
    ['a directory', (path) => mkdirSync(path), /It is a directory\./],
  ])('of a file that is %s name the file', async (_, put, why) => {
    host.remove(flood);
    mkdirSync(dirname(host.server.pathOf(flood)), { recursive: true });
    put(host.server.pathOf(flood));
    const { id } = await host.create('chat', antiFlood);
    const named = expect.stringMatching(new RegExp(`^${flood} cannot be read: ${why.source}$`));
    const { body } = await host.call('post', `chat/${id}/preview`, { instance_id: host.instanceId });
    expect(body).toMatchObject({ code: 'agent_refused', detail: named });
    expect(await host.apply('chat', id)).toMatchObject({
      status: 'failed',
      error: { code: 'agent_refused', detail: named },
    });
    rmSync(host.server.pathOf(flood), { recursive: true });
  });

  it('of profiles with other names say that they are not read', async () => {
    const folder = 'data/RaidableBases/Profiles';
    for (const name of ['Easy Bases', 'My Castle', 'Burg (2)', '_emptyfile'])
      host.write(`${folder}/${name}.json`, '{}');
    host.write(`${folder}/Easy Bases.json`, '{ "Advanced Protection Radius": { "Manual Events": 50.0 } }');
    const body = { name: 'Bases', instance_id: host.instanceId };
    const imported = await host.call('post', 'raidable-bases/import-from-server', body).expect(201);
    const detail = 'is a profile with another name; it is not read and stays as it is on the server';
    expect(imported.body).toMatchObject({
      not_read: [
        {
          file: `${folder}/Easy Bases.json`,
          pointer: '',
          place: '',
          detail: `${folder}/Burg (2).json beside it ${detail}`,
        },
        { file: `${folder}/My Castle.json`, pointer: '', detail },
      ],
    });
  });
});
