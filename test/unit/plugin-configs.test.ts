// Plugin configurations are written into files without touching anything else, and read back.
import fc from 'fast-check';
import { JsonFault, readJson } from '../../src/plugin-configs/json-text.ts';
import { PluginKind, type ConfigData } from '../../src/plugin-configs/kind.ts';
import { kindDefinitions } from '../../src/plugin-configs/registry.ts';
import { unknownHere } from '../../src/plugin-configs/reading.ts';
import type { ConfigSchema } from '../../src/plugin-configs/schema.ts';
import { kindOf } from '../support/plugin-kinds.ts';
import { samples } from '../support/plugin-samples.ts';
import { configsOf } from '../support/schema-values.ts';

const parsedEach = (files: ReadonlyMap<string, string>) =>
  Object.fromEntries([...files].map(([file, content]) => [file, parsed(content)]));
const parsed = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''));

describe.each(kindDefinitions.map(({ name }) => name))('%s', (name) => {
  const kind = kindOf(name);

  it('writes its defaults and reads them again', () => {
    const files = kind.toFiles(kind.defaults(), new Map());
    const { config, remarks } = kind.fromFiles(files);
    expect(remarks).toEqual([]);
    expect(kind.toFiles(config, new Map())).toEqual(files);
  });

  it('has presets that are non-empty and consistent', () => {
    for (const { config } of kind.presets()) {
      expect(kind.contradictions(config)).toEqual([]);
      const isTyped = kind.playerCommands(config) !== null;
      expect(kind.toFiles(config, new Map()).size > 0 || isTyped).toBe(true);
    }
  });

  it('writes any configuration, and reads the same files back', () => {
    fc.assert(
      fc.property(configsOf(kind), (value) => {
        const config = value as ConfigData;
        fc.pre(kind.contradictions(config).length === 0);
        const files = kind.toFiles(config, new Map());
        const read = kind.fromFiles(files);
        expect(parsedEach(kind.toFiles(read.config, new Map()))).toEqual(parsedEach(files));
        // Files with the same values are not touched.
        expect(kind.toFiles(config, files)).toEqual(files);
      }),
      { numRuns: 25 },
    );
  });

  it('leaves every byte of a file with the same values unchanged', () => {
    for (const contents of samples[name] ?? []) {
      const present = new Map(Object.entries(contents));
      const { config, remarks } = kind.fromFiles(present);
      expect(remarks.filter(({ detail }) => detail !== unknownHere)).toEqual([]);
      expect(Object.fromEntries(kind.toFiles(config, present))).toEqual(contents);
    }
    expect(samples[name]?.length).toBeGreaterThan(0);
  });
});

describe('raidable bases', () => {
  const kind = kindOf('raidable-bases');

  it('have a file of loot for each difficulty, profile and day', () => {
    const list = '[{ "shortname": "rifle.ak", "amount": 1, "skin": 18446744073709551615 }]';
    const paths = ['Default_Loot', 'Difficulty_Loot/Normal', 'Base_Loot/Hard Bases', 'Weekday_Loot/Friday'];
    const files = new Map(paths.map((path) => [`data/RaidableBases/${path}.json`, list]));
    const { config, remarks } = kind.fromFiles(files);
    const loot = [{ shortname: 'rifle.ak', amount: 1, skin_id: '18446744073709551615' }];
    expect(remarks).toEqual([]);
    expect(config).toEqual({
      default_loot: loot,
      normal_loot: loot,
      hard_base_loot: loot,
      friday_loot: loot,
    });
    expect(kind.toFiles(config, files)).toEqual(files);
  });
});

describe('kits', () => {
  const kind = kindOf('kits');
  const file = 'data/Kits/kits_data.json';
  const mod = '{ "Shortname": "weapon.mod.holosight", "Amount": 1, "Position": 0, "Own": 1.50 }';
  const rifle = (skin: string, position: number, inside: string) =>
    `{ "Shortname": "rifle.ak", "Skin": ${skin}, "Amount": 1, "Condition": 75.5, "Position": ${position}, "Contents": null, "Instance": { "Own": 1 }, "Container": { "slots": 4, "flags": 64, "contents": [ ${inside} ] } }`;
  const kitOf = (main: string, wear = '') =>
    `{ "_kits": { "vip": { "Name": "vip", "MainItems": [ ${main} ], "WearItems": [ ${wear} ], "BeltItems": [] } } }`;
  const both = [rifle('18446744073709551615', 0, mod), rifle('0', 1, '')] as const;
  const backpack = `{ "Shortname": "largebackpack", "Amount": 1, "Position": 7, "Container": { "contents": [ ${both[0]} ] } }`;
  const present = new Map([[file, kitOf(both.join(', '), backpack)]]);
  interface KitOfTest {
    items: ConfigData[];
  }
  const itemsIn = (config: ConfigData) =>
    (config as { kits?: Record<string, KitOfTest> }).kits?.['vip']?.items ?? [];
  const withItems = (config: ConfigData, items: ConfigData[]) =>
    ({
      ...config,
      kits: { vip: { ...(config['kits'] as Record<string, object>)['vip'], items } },
    }) as ConfigData;

  it('are read with the contents of their items, to any depth', () => {
    const { config } = kind.fromFiles(present);
    const holosight = { shortname: 'weapon.mod.holosight', amount: 1, position: 0 };
    const storage = { slots: 4, flags: 64, items: [holosight] };
    expect(itemsIn(config)).toMatchObject([
      { skin_id: '18446744073709551615', contents: null, storage },
      { skin_id: '0', storage: { items: [] } },
      { shortname: 'largebackpack', storage: { items: [{ shortname: 'rifle.ak', storage }] } },
    ]);
    // On a server without the files, everything is written.
    const again = kind.fromFiles(kind.toFiles(config, new Map())).config;
    expect(again).toMatchObject(config);
  });

  it('keep unknown fields of an item, wherever it moves', () => {
    const { config } = kind.fromFiles(present);
    const [first, second, third] = itemsIn(config) as [ConfigData, ConfigData, ConfigData];
    const changed = kind
      .toFiles(withItems(config, [second, { ...first, amount: 2 }, third]), present)
      .get(file);
    expect(changed).toBe(
      kitOf([both[1], both[0].replace('"Amount": 1', '"Amount": 2')].join(', '), backpack),
    );
    const bare = withItems(config, [
      { shortname: 'rifle.ak', amount: 1, container: 'main', position: 1 },
      { shortname: 'rifle.ak', amount: 1, container: 'main', skin_id: '18446744073709551615' },
      third,
    ]);
    expect(kind.toFiles(bare, present).get(file)).toBe(kitOf([both[1], both[0]].join(', '), backpack));
  });

  it.each([
    ['to its end', '[ ROCK, RIFLE ]'],
    ['into a list that has nothing', '[ ]'],
    ['into a list that is null', 'null'],
    ['into a list that is not there', undefined],
  ])('keep unknown fields when moved to another container: %s', (_, belt) => {
    const rock = '{ "Shortname": "rock", "Amount": 1, "Position": 0, "Own": 1.50 }';
    const lists = (main: string, inBelt: string | undefined) =>
      `{ "_kits": { "vip": { "Name": "Vip", "MainItems": [ ${main} ]${inBelt === undefined ? '' : `, "BeltItems": ${inBelt.replace('ROCK', rock).replace('RIFLE', both[1])}`} } } }`;
    const server = new Map([[file, lists(`${both[0]}, ${rock}`, belt)]]);
    const { config } = kind.fromFiles(server);
    const [rifle, ...others] = itemsIn(config) as [ConfigData, ...ConfigData[]];
    const moved = withItems(config, [...others, { ...rifle, container: 'belt', position: 5 }]);
    const after = kind.toFiles(moved, server).get(file) ?? '';
    const { _kits } = parsed(after) as { _kits: { vip: Record<string, object[]> } };
    expect(_kits.vip['MainItems']).toEqual([parsed(rock)]);
    expect(_kits.vip['BeltItems']?.at(-1)).toEqual({
      ...(parsed(both[0]) as object),
      Position: 5,
      Skin: 2 ** 64,
    });
    expect(after).toContain('"Skin": 18446744073709551615');
    expect(after).toContain('"Instance": { "Own": 1 }');
    expect(kind.fromFiles(new Map([[file, after]])).config).toEqual(moved);
  });

  it('keep unknown fields when two are swapped', () => {
    const server = new Map([[file, kitOf(both[0], both[1])]]);
    const { config } = kind.fromFiles(server);
    const [one, other] = itemsIn(config) as [ConfigData, ConfigData];
    const changed = withItems(config, [
      { ...other, container: 'main' },
      { ...one, container: 'wear' },
    ]);
    expect(kind.toFiles(changed, server).get(file)).toBe(kitOf(both[1], both[0]));
  });

  it.each([
    '{ "Name": "Vip2", "MainItems": null }',
    '{ "Name": null, "MainItems": [], "WearItems": "none" }',
    '{}',
    '{ "BeltItems": { "0": 1 }, "MainItems": [ null, { "Shortname": "rock" }, { "Amount": 1 }, 7 ] }',
    '{ "MainItems": [ { "Shortname": "rock", "Amount": "many", "Position": 0.0, "Skin": "0" } ] }',
  ])('are unchanged without edits: %s', (kit) => {
    const server = new Map([[file, `{ "_kits": { "vip2": ${kit}, "Vip2": { "MainItems": [] } } }`]]);
    expect(kind.toFiles(kind.taken(server).config, server)).toEqual(server);
  });

  it('write new values completely, and leave existing ones unchanged', () => {
    const worn = '{ "Shortname": "hatchet", "Amount": 1, "Position": 0 }';
    const items = [
      { shortname: 'hatchet', amount: 2, container: 'main', position: 0 },
      { shortname: 'pickaxe', amount: 1, container: 'main', position: 1 },
      { shortname: 'torch', amount: 1, container: 'main', position: 2, condition: 20, max_condition: 50 },
    ];
    const files = kind.toFiles({ kits: { vip: { items } } }, new Map([[file, kitOf(worn)]]));
    const { _kits } = parsed(files.get(file) ?? '') as { _kits: { vip: { MainItems: unknown[] } } };
    expect(_kits.vip.MainItems).toEqual([
      { Shortname: 'hatchet', Amount: 2, Position: 0 },
      { Shortname: 'pickaxe', Amount: 1, Position: 1, Condition: 100, MaxCondition: 100 },
      { Shortname: 'torch', Amount: 1, Position: 2, Condition: 20, MaxCondition: 50 },
    ]);
  });
});

describe('timed commands', () => {
  const kind = kindOf('timed-commands');
  const file = 'config/TimedExecute.json';
  const [sample] = samples['timed-commands'] ?? [];

  it('are read with their timers, and written in the complete form the plugin expects', () => {
    const { config } = kind.fromFiles(new Map(Object.entries(sample ?? {})));
    expect(config).toEqual({
      timer_repeat: { is_enabled: true, commands: { 'server.save': 300 } },
      timer_once: { is_enabled: true, commands: { "command1 'msg'": 60, 'reset.timeronce': 181 } },
      real_time: { is_enabled: true, commands: { '16:00:00': 'say "Tea time"' } },
      in_game_time: { is_enabled: true, commands: { '01:00': 'weather rain' } },
    });
    const written = parsed(kind.toFiles(config, new Map()).get(file) ?? '');
    expect(written).toEqual(parsed(sample?.[file] ?? ''));
    expect(
      Object.keys(parsed(kind.toFiles(kind.defaults(), new Map()).get(file) ?? '') as object),
    ).toHaveLength(8);
  });

  it('are read where the file lacks some', () => {
    const { config } = kind.fromFiles(new Map([[file, '{ "EnableTimerRepeat": true, "Other": 1 }']]));
    expect(config).toMatchObject({
      timer_repeat: { is_enabled: true, commands: {} },
    });
    expect(Object.keys(config)).toEqual(['timer_repeat']);
    expect(kind.toFiles(config, new Map([[file, '{ "Other": 1 }']])).get(file)).toContain('"Other": 1');
  });

  it('of players alone leave the plugin and its file out of it', () => {
    const config = { on_connect: ['say hi'] };
    expect(kind.toFiles(config, new Map())).toEqual(new Map());
    expect(kind.toFiles(config, new Map([[file, '{ "TimerOnce": {} }']]))).toEqual(new Map());
  });

  it('of players are the platform’s, unless they are omitted', () => {
    const timers = kind.defaults();
    expect(kind.playerCommands(timers)).toBeNull();
    expect(kind.playerCommands({ ...timers, on_connect: ['say hi'], on_disconnect: [] })).toEqual({
      join: ['say hi'],
      leave: [],
    });
    expect(kindOf('gather').playerCommands({ on_connect: ['say hi'] })).toBeNull();
  });
});

const schema: Record<string, ConfigSchema> = {
  ToyConfigData: {
    type: 'object',
    properties: {
      speed: { type: 'number', 'x-plugin-default': 1, 'x-key': ['Settings', 'Speed (1.0 = normal)'] },
      owner: { type: 'string', format: 'uint64', 'x-key': ['Settings', 'Owner'] },
      names: { type: 'array', items: { type: 'string' }, 'x-key': 'Names' },
      limits: {
        type: 'object',
        'x-key': 'Limits',
        properties: {
          all: { type: 'integer', 'x-key': '*' },
          others: { type: 'object', 'x-rest': true, additionalProperties: { type: 'integer' } },
        },
      },
      entries: {
        type: 'array',
        'x-key': 'Entries',
        'x-identity': 'Id',
        items: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', 'x-key': 'Id' }, count: { type: 'integer', 'x-key': 'Count' } },
        },
      },
      kept: { type: 'string', 'x-kept': true },
    },
  },
};
const toy = new PluginKind(
  {
    name: 'toy',
    noun: 'Toy',
    title: 'toy',
    files: [{ file: 'config/Toy.json', plugin: 'Toy' }],
    presets: [],
  },
  schema,
);

const written = (config: ConfigData, present: string) =>
  toy.toFiles(config, new Map([['config/Toy.json', present]])).get('config/Toy.json') ?? present;
const read = (text: string) => toy.fromFiles(new Map([['config/Toy.json', text]]));

describe('an existing file', () => {
  const present = [
    '\uFEFF{',
    '\t// who plays how fast',
    '\t"Settings": { "Speed (1.0 = normal)": 1.0, "Owner": 76561199056025696, "Unknown": 18446744073709551615 },',
    '\t"Names": [ "one", "two", ],',
    '\t"Limits": {',
    '\t\t"*": 5,',
    '\t\t"gone": 1, /* no longer */',
    '\t\t"stays": 2',
    '\t},',
    '\t"Entries": [',
    '\t\t{ "Id": "a", "Count": 1, "Own": 1.50 },',
    '\t\t{ "Id": "b", "Count": 2, "Own": 2.50 }',
    '\t],',
    '}',
    '',
  ].join('\r\n');

  it('is read with comments, trailing commas, a byte order mark, and ids beyond the precision of doubles', () => {
    expect(read(present)).toEqual({
      config: {
        speed: 1,
        owner: '76561199056025696',
        names: ['one', 'two'],
        limits: { all: 5, others: { gone: 1, stays: 2 } },
        entries: [
          { id: 'a', count: 1 },
          { id: 'b', count: 2 },
        ],
      },
      remarks: ['/Settings/Unknown', '/Entries/0/Own', '/Entries/1/Own'].map((pointer) => ({
        file: 'config/Toy.json',
        pointer,
        detail: 'is not known here and stays on the server as it is',
      })),
      remarkCount: 3,
    });
  });

  it('keeps everything but the changes', () => {
    expect(written({ speed: 2.5 }, present)).toBe(present.replace('1.0,', '2.5,'));
    expect(written({ speed: 1 }, present)).toBe(present);
    expect(written({ owner: '76561199056025697' }, present)).toBe(present.replace('025696', '025697'));
    expect(written({ names: ['one', 'two', 'three'] }, present)).toBe(
      present.replace('"two",', '"two", "three",'),
    );
    expect(written({ names: ['one'] }, present)).toBe(present.replace('"one", "two",', '"one",'));
    expect(written({ names: [] }, present)).toBe(present.replace('[ "one", "two", ]', '[]'));
  });

  it('may end in any accepted number of blanks, and in comments with commas', () => {
    const spaces = ' '.repeat(100_000);
    expect(written({ names: ['one', 'two'] }, `{"Names": ["one"${spaces}]}`)).toBe(
      `{"Names": ["one", "two"${spaces}]}`,
    );
    expect(written({ names: ['one', 'two'] }, '{"Names": ["one" /* a, b */ , ]}')).toBe(
      '{"Names": ["one" /* a, b */ , "two", ]}',
    );
  });

  it.each([
    ['1', { speed: 2 }, '2'],
    ['1', { speed: 2.5 }, '2.5'],
    ['1.0', { speed: 2 }, '2.0'],
    ['1e0', { speed: 1 }, '1e0'],
    ['1e-3', { speed: 0.001 }, '1e-3'],
    ['1E+2', { speed: 100 }, '1E+2'],
    ['-0.0', { speed: 0 }, '-0.0'],
    ['0.10000000149011612', { speed: 0.10000000149011612 }, '0.10000000149011612'],
    ['0.1000000000000000055', { speed: 0.1 }, '0.1000000000000000055'],
    ['null', { speed: 1 }, '1.0'],
  ])('keeps the form of its numbers: %s, given %j, is %s', (before, config, after) => {
    const text = (number: string) => `{"Settings": {"Speed (1.0 = normal)": ${number}}}`;
    expect(written(config, text(before))).toBe(text(after));
  });

  it.each([
    ['7', '8'],
    ['"7"', '"8"'],
    ['null', '8'],
  ])('keeps the form of its ids: %s is %s', (before, after) => {
    const text = (id: string) => `{"Settings": {"Owner": ${id}}}`;
    expect(written({ owner: '8' }, text(before))).toBe(text(after));
  });

  it('may have a key twice, of which the last counts, and keeps both', () => {
    const text = '{"Names": ["a"], "Limits": {"x": 1, "x": 2, "y": 3}, "Names": ["b"]}';
    expect(read(text).config).toEqual({ names: ['b'], limits: { others: { x: 2, y: 3 } } });
    expect(written({ names: ['c'], limits: { others: { x: 4, y: 3 } } }, text)).toBe(
      '{"Names": ["a"], "Limits": {"x": 1, "x": 4, "y": 3}, "Names": ["c"]}',
    );
    expect(written({ limits: { others: { y: 3 } } }, text)).toBe(
      '{"Names": ["a"], "Limits": {"y": 3}, "Names": ["b"]}',
    );
  });

  it.each(['{}', '{"Names": []}', '{"Names": null}', '{"Limits": {}}', '{"Entries": [{}]}'])(
    'distinguishes empty, null and absent: %s',
    (text) => {
      expect(written(read(text).config, text)).toBe(text);
    },
  );

  it('loses removed entries and gains new ones, where all of them are known', () => {
    expect(written({ limits: { all: 5, others: { stays: 2, 'new "one"': 7 } } }, present)).toBe(
      present
        .replace('\r\n\t\t"gone": 1, /* no longer */', '')
        .replace('"stays": 2', '"stays": 2,\r\n\t\t"new \\"one\\"": 7'),
    );
  });

  it('keeps unknown keys with the element that they belong to', () => {
    const entries = [
      { id: 'a', count: 9 },
      { id: 'c', count: 3 },
    ];
    expect(
      parsed(
        written(
          { entries },
          present
            .replace('\t// who plays how fast', '')
            .replace(/,(\s*[}\]])/g, '$1')
            .replace('/* no longer */', ''),
        ),
      ),
    ).toMatchObject({
      Entries: [
        { Id: 'a', Count: 9, Own: 1.5 },
        { Id: 'c', Count: 3 },
      ],
    });
  });

  it('keeps unknown keys with elements that move', () => {
    const text =
      '{"Entries": [{"Id": "a", "Own": 1.50, "Count": 1}, {"Id": "b", "Own": [1e-3]}, {"Own": null, "Id": "c"}]}';
    const entries = [{ id: 'c' }, { id: 'n', count: 2 }, { id: 'a', count: 3 }];
    expect(written({ entries }, text).replaceAll(/\s+/g, ' ')).toBe(
      '{"Entries": [ {"Own": null, "Id": "c"}, { "Id": "n", "Count": 2 }, {"Id": "a", "Own": 1.50, "Count": 3} ]}',
    );
  });

  it('is omitted where it has another type, which is reported with its location', () => {
    const text =
      '{"Settings": {"Owner": 1.5}, "Names": ["one", 2], "Limits": {"*": "many", "x": true}, "Entries": [{"Id": null}]}';
    const { config, remarks } = read(text);
    expect(config).toEqual({ names: ['one'], limits: { others: {} }, entries: [{}] });
    expect(remarks.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual([
      '/Settings/Owner is a number of another kind and stays on the server as it is',
      '/Names/1 is a number of another kind and stays on the server as it is',
      '/Limits/* is of the type string and stays on the server as it is',
      '/Limits/x is of the type boolean and stays on the server as it is',
      '/Entries/0/Id is of the type null and stays on the server as it is',
    ]);
  });

  it('is rejected where it is not JSON, with the location', () => {
    expect(() => read('{\n"a": 1\n"b" 2}')).toThrow(JsonFault);
    expect(() => read('{\n"a": 1\n"b" 2}')).toThrow('config/Toy.json, line 3: a comma is missing');
    expect(() => read('{"a": 1 // open')).toThrow('line 1: the } of an object is missing');
    expect(() => read('/* open')).toThrow('line 1: a comment is not closed with */');
    expect(() => readJson('['.repeat(200_000))).toThrow('it is nested deeper than 100 levels');
    expect(() => readJson(`[${'1,'.repeat(1_000_001)}1]`)).toThrow(
      'it has more than 1000000 values and keys',
    );
    expect(() => readJson(`[1${' '.repeat(12_000_000)}]`)).toThrow('it has more than 100000 blanks in a row');
  });
});

describe('a missing file', () => {
  it('is written with the configuration', () => {
    expect(written({ speed: 2, limits: { all: 1, others: {} } }, '')).toBe(
      '{\n  "Settings": {\n    "Speed (1.0 = normal)": 2.0\n  },\n  "Limits": {\n    "*": 1\n  }\n}\n',
    );
  });
});

describe('an empty file', () => {
  it.each([
    ['', '{'],
    [' \r\n', '{'],
    ['\uFEFF', '\uFEFF{'],
    ['// to be filled in', '// to be filled in\n{'],
    ['/* one */ // two\n\n', '/* one */ // two\n{'],
  ])('is treated as missing, and keeps its comments: %j', (text, beginning) => {
    expect(read(text)).toEqual({ config: {}, remarks: [], remarkCount: 0 });
    const after = written({ names: ['a'] }, text);
    expect(after.startsWith(beginning)).toBe(true);
    expect(read(after).config).toEqual({ names: ['a'] });
  });
});

describe('the delays of automatic doors', () => {
  const kind = kindOf('automatic-doors');
  const placesOf = (config: ConfigData) => kind.contradictions(config).map(({ pointer }) => pointer);

  it.each([
    [{ default_delay_seconds: 20 }, []],
    [{ default_delay_seconds: 20, max_delay_seconds: 30 }, []],
    [{ min_delay_seconds: 30 }, []],
    [{ default_delay_seconds: 60, max_delay_seconds: 30 }, ['/default_delay_seconds']],
    [{ default_delay_seconds: 1, min_delay_seconds: 5 }, ['/default_delay_seconds']],
    [{ min_delay_seconds: 30, max_delay_seconds: 5 }, ['/min_delay_seconds']],
  ])('are checked against each other where they are given: %j', (config, places) => {
    expect(placesOf(config)).toEqual(places);
  });
});

describe('invisible characters', () => {
  it.each([
    ['NUL', 'a\u0000'],
    ['the escape of terminals', '\u001b[2J'],
    ['half of a character', '\ud800'],
  ])('are an error with their location: %s', (_, text) => {
    expect(toy.contradictions({ names: ['fine\n', text] })).toMatchObject([{ pointer: '/names/1' }]);
    expect(toy.contradictions({ limits: { others: { [text]: 1 } } })).toMatchObject([
      { pointer: `/limits/others/${text.toWellFormed()}` },
    ]);
  });
});

describe('an entry with a field of its own', () => {
  it('is a contradiction among the rest', () => {
    expect(toy.contradictions({ limits: { others: { '*': 1, x: 2 } } })).toEqual([
      { pointer: '/limits/others/*', detail: 'belongs into all, its own field' },
    ]);
  });
});

describe('a value for which the plugin has no key', () => {
  it('is stored and reported', () => {
    expect(toy.unwritten({ speed: 1, kept: 'here' })).toEqual([
      { pointer: '/kept', detail: 'The plugin has no such setting; it is kept here and not written.' },
    ]);
  });
});

describe('any text of JSON', () => {
  const json = fc.jsonValue({ maxDepth: 4 });

  it('keeps unknown values', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), json),
        fc.integer(),
        fc.integer({ min: 0, max: 4 }),
        (others, count, indent) => {
          const rest = Object.fromEntries(
            Object.entries(others).filter(
              ([key]) => !['Limits', 'Settings', 'Names', 'Entries', '__proto__'].includes(key),
            ),
          );
          const text = JSON.stringify({ ...rest, Limits: { '*': 1 } }, null, indent);
          const after = written({ speed: 3, limits: { all: count, others: { x: 1 } } }, text);
          const wanted = {
            ...rest,
            Limits: { '*': count, x: 1 },
            Settings: { 'Speed (1.0 = normal)': 3 },
          };
          expect(JSON.stringify(parsed(after))).toBe(JSON.stringify(wanted));
        },
      ),
    );
  });
});
