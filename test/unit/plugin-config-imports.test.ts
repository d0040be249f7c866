// Files with values that the contract does not accept: the rest becomes a configuration, and applying it
// leaves them unchanged.
import fc from 'fast-check';
import type { ConfigData } from '../../src/plugin-configs/kind.ts';
import { kindDefinitions } from '../../src/plugin-configs/registry.ts';
import { Validity } from '../../src/plugin-configs/validity.ts';
import { fileLeaves } from '../support/config-leaves.ts';
import { serversOfPlugins } from '../support/plugin-files.ts';
import { kindOf } from '../support/plugin-kinds.ts';
import { samples } from '../support/plugin-samples.ts';

const validities = new Map<string, Validity>(
  kindDefinitions.map(({ name }) => [name, new Validity(kindOf(name).schemaWithReferences)]),
);

const faultsOf = (name: string, config: ConfigData) => [
  ...(validities.get(name)?.faultsOf(config) ?? []),
  ...kindOf(name).contradictions(config),
];

/** The result of importing a file by itself, and of applying that result to it. */
function takenOf(name: string, file: string, content: string) {
  const kind = kindOf(name);
  const present = new Map([[file, content]]);
  const { config, remarks } = kind.taken(present);
  expect(faultsOf(name, config)).toEqual([]);
  expect(kind.toFiles(config, present).get(file) ?? content).toBe(content);
  return { config, remarks: remarks.map(({ pointer, detail }) => `${pointer} ${detail}`) };
}

const kits = 'data/Kits/kits_data.json';
const doors = 'config/AutoDoors.json';
const timers = 'config/TimedExecute.json';
const tables = 'data/BetterLoot/LootTables.json';
const kitOf = (kit: object) => JSON.stringify({ _kits: { vip: { Name: 'vip', ...kit } } });
const rock = (position: number) => ({ Shortname: 'rock', Amount: 1, Position: position });

describe('a file that is accepted in part', () => {
  it('has the valid delays', () => {
    const settings = { 'Default delay': 60, 'Maximum delay': 30, 'Minimum delay': 5 };
    const { config, remarks } = takenOf(
      'automatic-doors',
      doors,
      JSON.stringify({ 'Global settings': settings }),
    );
    expect(config).toEqual({ min_delay_seconds: 5, max_delay_seconds: 30 });
    expect(remarks).toEqual([
      '/Global settings/Default delay 60 is more than max_delay_seconds, which is 30; it stays on the server as it is',
    ]);
  });

  it('has all entries but the one with a wrong number', () => {
    const { config, remarks } = takenOf(
      'timed-commands',
      timers,
      JSON.stringify({
        EnableTimerRepeat: true,
        TimerRepeat: { 'server.save': 300, 'say hi': 0.5 },
        EnableTimerOnce: false,
        TimerOnce: {},
        'EnableRealTime-Timer': true,
        'RealTime-Timer': { '16:00': 'say tea', '16:00:00': 'say late' },
        'EnableInGameTime-Timer': false,
        'InGameTime-Timer': {},
      }),
    );
    expect(config).toMatchObject({
      timer_repeat: { commands: { 'server.save': 300 } },
      real_time: { commands: { '16:00:00': 'say late' } },
    });
    expect(remarks).toEqual([
      '/TimerRepeat/say hi must be at least 1; it stays on the server as it is',
      '/RealTime-Timer/16:00 is a name that is not a time of day as HH:mm:ss; it stays on the server as it is',
    ]);
  });

  it('has an entry of loot without the number that contradicts another', () => {
    const item = { Min: 5, Max: 2 };
    const { config, remarks } = takenOf(
      'loot',
      tables,
      JSON.stringify({
        LootTables: {
          barrel: {
            Enabled: true,
            Scrap: 1,
            ItemsMin: 1,
            ItemsMax: 2,
            MaxBPs: 1,
            ItemList: { rope: item, cloth: { Min: 1, Max: 2 } },
          },
        },
      }),
    );
    expect(config).toMatchObject({ legacy_loot_table: { barrel: { items: { cloth: { min: 1, max: 2 } } } } });
    expect(remarks).toEqual([
      '/LootTables/barrel/ItemList/rope 5 is more than max, which is 2; it stays on the server as it is',
    ]);
  });

  it('has a kit without the unknown permission', () => {
    const { config, remarks } = takenOf(
      'kits',
      kits,
      kitOf({ RequiredPermission: 'vip.kit', MainItems: [rock(0)], WearItems: [], BeltItems: [] }),
    );
    expect(config).toMatchObject({ kits: { vip: { items: [{ shortname: 'rock', container: 'main' }] } } });
    expect(remarks).toEqual([
      '/_kits/vip/RequiredPermission does not begin with kits.; it stays on the server as it is',
    ]);
  });

  it('has the complete items of a kit, as far as there are slots', () => {
    const belt = [0, 1, 2, 3, 4, 5, 6].map(rock);
    const main = [{ Amount: 1 }, rock(0), { ...rock(1), Amount: -5 }, rock(2)];
    const { config, remarks } = takenOf('kits', kits, kitOf({ MainItems: main, BeltItems: belt }));
    const { kits: read } = config as {
      kits: Record<string, { items: { container: string; position: number }[] }>;
    };
    expect(read['vip']?.items.map(({ container, position }) => `${container} ${position}`)).toEqual([
      'main 0',
      'main 2',
      ...[0, 1, 2, 3, 4, 5].map((position) => `belt ${position}`),
    ]);
    expect(remarks).toEqual([
      '/_kits/vip/MainItems/0 has no shortname; it stays on the server as it is',
      '/_kits/vip/MainItems/2 must be at least 0; it stays on the server as it is',
      '/_kits/vip/BeltItems/6 is beyond the 6 slots of belt; it stays on the server as it is',
    ]);
  });
});

/** Possible replacements for a value. */
const damage = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '0.5',
    '-1e12',
    '1e12',
    '99999999999999999999',
    '""',
    '"x"',
    '{}',
    '[]',
    '[1]',
    '{"x": 1}',
    '"\\u0000"',
    '"\\ud800"',
    JSON.stringify('x'.repeat(5000)),
    JSON.stringify(Array.from({ length: 120 }, () => 'a')),
  ),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
);

const damages = fc.array(fc.tuple(fc.nat(), damage, fc.boolean()), { minLength: 1, maxLength: 8 });

type Damages = readonly (readonly [number, string, boolean])[];

/** Replaces some values of a file, and adds unknown keys. */
function damaged(content: string, changes: Damages, mayLackKeys: boolean): string {
  const leaves = fileLeaves(content);
  if (leaves.length === 0) return content;
  const mark = content.startsWith('\uFEFF') ? '\uFEFF' : '';
  const chosen = new Map(
    changes.map(([at, text, isKey]) => [at % leaves.length, { text, isKey: isKey && mayLackKeys }]),
  );
  let text = content.slice(mark.length);
  for (const [at, change] of [...chosen].toSorted(([one], [other]) => other - one)) {
    const { node } = leaves[at] as (typeof leaves)[number];
    const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
    const { offset, length } = change.isKey && key !== undefined ? key : node;
    const instead = change.isKey && key !== undefined ? JSON.stringify(`${key.value}\ud800`) : change.text;
    text = text.slice(0, offset) + instead + text.slice(offset + length);
  }
  return mark + text;
}

const servers = [
  ...serversOfPlugins.map(({ kind, server, files }) => ({ name: kind, server, files })),
  ...Object.entries(samples).flatMap(([name, each]) =>
    each.map((files, index) => ({ name, server: `sample ${index}`, files: new Map(Object.entries(files)) })),
  ),
];

describe.each(servers)('$name of $server', ({ name, files }) => {
  const kind = kindOf(name);

  // What the plugin cannot do without is added to a file that lacks it.
  const mayLackKeys = kind.definition.files.every(({ needs }) => needs === undefined);

  it('is read with any damage, and unchanged by applying the result', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...files.keys()), damages, { minKeys: 1 }), (changes) => {
        const present = new Map(
          [...files].map(([file, content]) => [file, damaged(content, changes[file] ?? [], mayLackKeys)]),
        );
        const { config } = kind.taken(present);
        expect(faultsOf(name, config)).toEqual([]);
        const after = kind.toFiles(config, present);
        for (const [file, content] of after) expect(content).toBe(present.get(file));
      }),
      { numRuns: 30 },
    );
  });
});
