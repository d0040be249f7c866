// Generations of plugins: every key of their files is known, none is lost, and none is mistaken for another.
import { works } from '../../src/plugin-configs/codec/works.ts';
import type { ConfigData, Contents, PluginKind } from '../../src/plugin-configs/kind.ts';
import { kindDefinitions } from '../../src/plugin-configs/registry.ts';
import type { Schema } from '../../src/plugin-configs/schema.ts';
import { kindOf } from '../support/plugin-kinds.ts';
import { serversOfPlugins } from '../support/plugin-files.ts';

/** State that plugins keep for themselves. */
const own = /^\/(Messages|Version)$/;

const parsedEach = (files: Contents) =>
  Object.fromEntries([...files].map(([file, content]) => [file, JSON.parse(content) as unknown]));

const withoutOwn = (files: Contents) =>
  new Map(
    [...files].map(([file, content]) => {
      const document = JSON.parse(content) as object;
      if (Array.isArray(document)) return [file, content];
      const kept = Object.entries(document).filter(([key]) => !own.test(`/${key}`));
      return [file, JSON.stringify(Object.fromEntries(kept))];
    }),
  );

const changedEach = (files: Contents, change: (content: string) => string) =>
  new Map([...files].map(([file, content]) => [file, change(content)]));

const layouts: Readonly<Record<string, (content: string) => string>> = {
  'as plugins write it': (content) => content,
  'with ends of lines of Windows and a byte order mark': (content) =>
    `\uFEFF${content.replaceAll('\n', '\r\n')}`,
  'with tabs': (content) => content.replace(/^( {2})+/gm, (indent) => '\t'.repeat(indent.length / 2)),
  'with comments and commas behind the last': (content) =>
    content.replace(/([\]}"\w])\n(\s*[\]}])/g, '$1, // the last\n$2'),
  'without an end of a line': (content) => content.trimEnd(),
};

it('exist for every kind', () => {
  expect([...new Set(serversOfPlugins.map(({ kind }) => kind))]).toEqual(
    kindDefinitions.map(({ name }) => name),
  );
});

describe.each(serversOfPlugins)('$kind of $server', ({ kind: name, files }) => {
  const kind = kindOf(name);

  it('is known with every key, and is a valid configuration', () => {
    const { config, notRead } = works.read(kind, { contents: [...files] });
    expect(notRead.filter(({ pointer }) => !own.test(pointer))).toEqual([]);
    expect(works.write(kind, { config, present: [...files] }).foreign).toBeNull();
    expect(works.preview(kind, { config, present: [...files] }).unwritten).toEqual([]);
  });

  it.each(Object.keys(layouts))('keeps every unchanged byte: %s', (layout) => {
    const present = changedEach(files, layouts[layout] ?? String);
    const { config } = kind.fromFiles(present);
    expect(Object.fromEntries(kind.toFiles(config, present))).toEqual(Object.fromEntries(present));
  });

  it('is the same on a server without its files', () => {
    const { config } = kind.fromFiles(files);
    const present = new Map([...files].filter(([file]) => formerOf(kind, file)));
    expect(parsedEach(kind.toFiles(config, present))).toEqual(parsedEach(withoutOwn(files)));
  });
});

/** Old files have old keys only where such a file exists. */
const formerOf = (kind: PluginKind, file: string) =>
  ['chat', 'timed-commands'].includes(kind.name) && /Filter|TimedExecute/.test(file);

const pairs = serversOfPlugins.flatMap(({ kind, server, files }) =>
  serversOfPlugins
    .filter((other) => other.kind === kind && other.server !== server)
    .map((other) => ({ kind, server, files, other: other.server, present: other.files })),
);

describe.each(pairs)('$kind of $server, for a server with $other', ({ kind: name, files, present }) => {
  const kind = kindOf(name);
  const { config } = kind.fromFiles(files);
  const { files: written, unwritten } = kind.written(config, present);

  it('is reported as not written where the server has no place for it', () => {
    for (const { detail } of unwritten) expect(detail).toMatch(/^The server has .+ not written\.$/);
    expect(unwritten.map(({ pointer }) => pointer)).toMatchSnapshot();
  });

  it('leaves the files of its own server unchanged', () => {
    const changed = [...written].map(([file, { content }]) => [file, content] as const);
    const after = new Map([...present, ...changed]);
    expect(kind.fromFiles(after).remarks.filter(({ pointer }) => !own.test(pointer))).toEqual([]);
    expect(kind.differences(config, after)).toEqual(unwritten);
  });
});

describe('a configuration', () => {
  it.each([
    ['loot', { loot_table: {}, legacy_loot_table: {} }, '/legacy_loot_table'],
    ['loot', { loot_groups: {}, legacy_settings: {} }, '/legacy_settings'],
    ['chat', { settings: {}, legacy_settings: {} }, '/legacy_settings'],
    ['raidable-bases', { easy_loot: [], normal_loot: [] }, '/normal_loot'],
  ])('of %s is for one generation: %j', (name, config, pointer) => {
    expect(kindOf(name).contradictions(config as ConfigData)).toEqual([
      { pointer, detail: expect.stringMatching(/^is not for .+, as the rest is$/) },
    ]);
  });

  it("that is entirely for another generation changes nothing, and names the server's", () => {
    const present = new Map([['config/BetterLoot.json', '{"Generic": {}}']]);
    const config = { settings: { loot: { loot_multiplier: 2 } } };
    expect(kindOf('loot').written(config, present)).toEqual({
      files: new Map(),
      unwritten: [{ pointer: '/settings', detail: expect.stringContaining('version 3 of BetterLoot') }],
      foreign: 'version 3 of BetterLoot',
    });
  });

  it('writes no file of another generation beside those of the server’s', () => {
    const tables = '{"LootTables": {"crate": {"Enabled": true, "ItemList": {}}}}';
    const present = new Map([
      ['config/BetterLoot.json', '{"General Configuration": {}}'],
      ['data/BetterLoot/LootTables.json', tables],
    ]);
    expect(() => kindOf('loot').toFiles({ loot_table: {} }, present)).toThrow(
      'data/BetterLoot/LootTables.json, it is for another version of the plugin',
    );
    expect(kindOf('loot').fromFiles(present)).toMatchObject({
      config: { settings: {} },
      remarks: [{ file: 'data/BetterLoot/LootTables.json', pointer: '' }],
    });
  });
});

describe('former keys', () => {
  const kind = kindOf('timed-commands');
  const file = 'config/TimedExecute.json';
  const clock = { is_enabled: false, commands: {} };

  it("are changed where the file has them, and not where it has today's keys", () => {
    const after = (content: string) =>
      kind.toFiles({ real_time: clock }, new Map([[file, content]])).get(file);
    expect(after('{"EnabledRealTime-Timer": true}')).toMatch(/^\{"EnabledRealTime-Timer": false, /);
    expect(after('{"EnabledRealTime-Timer": true}')).not.toContain('"EnableRealTime-Timer"');
    expect(after('{"EnabledRealTime-Timer": true, "EnableRealTime-Timer": true}')).toMatch(
      /^\{"EnabledRealTime-Timer": true, "EnableRealTime-Timer": false, /,
    );
  });
});

describe('kits of version 3', () => {
  const kits = 'data/Kits/kits_data.json';
  const settings = 'config/Kits.json';
  const version = (major: number) => ({ Version: { Major: major, Minor: 0, Patch: 0 } });
  const read = (file: string, content: object) => {
    const { isEmpty, generation } = works.read(kindOf('kits'), {
      contents: [[file, JSON.stringify(content)]],
    });
    return { isEmpty, generation };
  };

  it.each([
    ['beside an empty list of version 4', kits, { _kits: {}, Kits: { vip: { Name: 'vip' } } }],
    ['by themselves', kits, { Kits: { vip: { Name: 'vip' } } }],
    ['as settings whose keys both versions have', settings, { 'Kit chat command': 'kit', ...version(3) }],
  ])('are named and are not a configuration: %s', (_how, file, content) => {
    expect(read(file, content)).toEqual({ isEmpty: true, generation: 'version 3 of Kits' });
  });

  it.each([
    ['an empty list', kits, { _kits: {} }],
    ['an empty list of each', kits, { _kits: {}, Kits: {} }],
    ['kits of both', kits, { _kits: { vip: { Name: 'vip' } }, Kits: { vip: { Name: 'vip' } } }],
    ['few settings', settings, { 'Kit chat command': 'kit', ...version(4) }],
  ])('are distinguished from those of version 4: %s', (_how, file, content) => {
    expect(read(file, content)).toMatchObject({ generation: 'version 4 of Kits' });
  });
});

describe('an unknown layout', () => {
  it.each([
    [
      'timed-commands',
      'config/TimedExecute.json',
      '{"TimerOnce": [{"Name": "a"}]}',
      { timer_once: { is_enabled: true, commands: {} } },
      '/TimerOnce',
    ],
    ['kits', 'data/Kits/kits_data.json', '[{"Title": "a"}]', { kits: {} }, ''],
    ['chat', 'data/BetterChat.json', '{"default": {}}', { groups: [{ group: 'default' }] }, ''],
  ] as const)('is rejected before anything of it is lost: %s', (name, file, content, config, pointer) => {
    const kind = kindOf(name);
    const type = content.includes('[') ? 'array' : 'object';
    expect(() => kind.toFiles(config as ConfigData, new Map([[file, content]]))).toThrow(
      `${file}, ${pointer} is of the type ${type}, as in another version of the plugin`,
    );
    // Empty values belong to no generation.
    const empty =
      content.startsWith('[') || name === 'timed-commands' ? content.replace(/\[.*\]/, '[]') : '{}';
    expect(kind.toFiles(config as ConfigData, new Map([[file, empty]])).size).toBe(1);
  });
});

describe('lists of objects', () => {
  const unnamed = (schema: Schema, pointer: string): string[] => [
    ...(schema.items?.type === 'object' && schema['x-identity'] === undefined ? [pointer] : []),
    ...(schema.items ? unnamed(schema.items, `${pointer}/-`) : []),
    ...(schema.additionalProperties ? unnamed(schema.additionalProperties, `${pointer}/-`) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => unnamed(part, `${pointer}/${name}`)),
  ];

  it.each(kindDefinitions.map(({ name }) => name))(
    'of %s define how their elements are identified',
    (name) => {
      expect(unnamed(kindOf(name).schema, '').filter((at) => at !== '/kits/-/items')).toEqual([]);
    },
  );
});
