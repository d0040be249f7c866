// Leaf by leaf: which values of the plugins' files a configuration has, and which of its values the files
// get.
import fc from 'fast-check';
import { PluginKind, type ConfigData } from '../../src/plugin-configs/kind.ts';
import { kindDefinitions } from '../../src/plugin-configs/registry.ts';
import type { Schema } from '../../src/plugin-configs/schema.ts';
import {
  changedLeaves,
  fileLeaves,
  leavesOf,
  differentValue,
  withLeaf,
  writtenLeaves,
} from '../support/config-leaves.ts';
import { kindOf } from '../support/plugin-kinds.ts';
import { samples } from '../support/plugin-samples.ts';
import { configsOf } from '../support/schema-values.ts';

const names = kindDefinitions.map(({ name }) => name);

/** Present in the samples and in no configuration. */
const unknown: Readonly<Record<string, readonly RegExp[]>> = {
  gather: [/#\/Messages\//],
  teleport: [/#\/Version\//],
  loot: [/\/Use Vanilla Rust Loot RNG$/],
  'automatic-doors': [/#\/Version\//],
  kits: [/#\/Version\//, /\/Name$/],
  'raidable-bases': [/#\/Unknown\//],
};

/** Changing these makes a different element of the list. */
const identities: Readonly<Record<string, RegExp>> = { kits: /\/(container|shortname)$/ };

describe.each(names)('%s', (name) => {
  const kind = kindOf(name);
  const sets = (samples[name] ?? []).map((contents) => new Map(Object.entries(contents)));

  it('reads everything that it has written', () => {
    fc.assert(
      fc.property(configsOf(kind), (value) => {
        const config = arranged(value as ConfigData);
        fc.pre(kind.contradictions(config).length === 0);
        const { config: read, remarks } = kind.fromFiles(kind.toFiles(config, new Map()));
        expect(remarks).toEqual([]);
        expect(leavesOf(read)).toMatchObject(writtenLeaves(kind, config));
      }),
      { numRuns: 25 },
    );
  });

  it('knows every leaf of its samples, with few exceptions', () => {
    const unread = sets.flatMap((present) => {
      const { config } = kind.fromFiles(present);
      return [...present].flatMap(([file, content]) =>
        fileLeaves(content).flatMap(({ pointer, node, text }) => {
          const value: unknown = node.type === 'number' ? Number(text) + 1 : differentValue(node.value);
          const other = content.startsWith('\uFEFF') ? 1 : 0;
          const start = node.offset + other;
          const changed =
            content.slice(0, start) + JSON.stringify(value) + content.slice(start + node.length);
          const again = kind.fromFiles(new Map([...present, [file, changed]])).config;
          return JSON.stringify(again) === JSON.stringify(config) ? [`${file}#${pointer}`] : [];
        }),
      );
    });
    expect(unread.filter((at) => !(unknown[name] ?? []).some((pattern) => pattern.test(at)))).toEqual([]);
  });

  it('changes the one leaf of the files that is changed', () => {
    for (const present of sets) {
      const { config } = kind.fromFiles(present);
      for (const [pointer, leaf] of Object.entries(writtenLeaves(kind, config))) {
        if (identities[name]?.test(pointer) === true) continue;
        const other = withLeaf(config, pointer, differentValue(leaf));
        const files = new Map([...present, ...kind.toFiles(other, present)]);
        expect([pointer, changedLeaves(present, files)]).toEqual([pointer, [expect.any(String)]]);
        expect(kind.fromFiles(files).config).toEqual(other);
      }
    }
  });

  it('has presets that change exactly their values', () => {
    for (const present of sets) {
      const before = leavesOf(kind.fromFiles(present).config);
      for (const preset of kind.presets()) {
        const said = leavesOf(preset.config);
        const files = new Map([...present, ...kind.toFiles(preset.config, present)]);
        const now = leavesOf(kind.fromFiles(files).config);
        const changed = Object.keys({ ...before, ...now }).filter((at) => before[at] !== now[at]);
        const isSaid = (at: string) =>
          at in said || wholes(kind, preset.config).some((whole) => at.startsWith(whole));
        expect([preset.name, changed.filter((at) => !isSaid(at))]).toEqual([preset.name, []]);
      }
    }
  });

  it('stores fields that no plugin has', () => {
    expect(keptIn(kind.schema, '')).toMatchSnapshot();
  });
});

/** In the order in which they are read. */
function arranged(config: ConfigData): ConfigData {
  const { kits } = config as { kits?: Record<string, { items: { container: string }[] }> };
  if (kits === undefined) return config;
  const order = ['main', 'wear', 'belt'];
  const inOrder = Object.entries(kits).map(([name, kit]) => [
    name,
    {
      ...kit,
      items: kit.items.toSorted(
        (one, other) => order.indexOf(one.container) - order.indexOf(other.container),
      ),
    },
  ]);
  return { ...config, kits: Object.fromEntries(inOrder) as ConfigData };
}

/** Lists, and maps with named entries: setting one replaces all of it. */
function wholes(kind: PluginKind, config: ConfigData): string[] {
  const walk = (schema: Schema | undefined, value: unknown, pointer: string): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value) || typeof schema?.additionalProperties === 'object') return [`${pointer}/`];
    return Object.entries(value).flatMap(([key, part]) =>
      walk(schema?.properties?.[key], part, `${pointer}/${key}`),
    );
  };
  return walk(kind.schema, config, '');
}

function keptIn(schema: Schema, pointer: string): string[] {
  if (schema['x-kept'] === true) return [pointer];
  return [
    ...[schema.items, schema.additionalProperties].flatMap((part) =>
      part ? keptIn(part, `${pointer}/-`) : [],
    ),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, part]) => keptIn(part, `${pointer}/${key}`)),
  ];
}

it('five difficulties of bases stay five, and keep their bases', () => {
  const { config } = kindOf('raidable-bases').fromFiles(
    kindOf('raidable-bases').toFiles(kindOf('raidable-bases').defaults(), new Map()),
  );
  const levels = ['easy', 'medium', 'hard', 'expert', 'nightmare'];
  const profiles = levels.map((level) => config[`${level}_profile`] as ConfigData);
  expect(profiles.map(({ difficulty }) => difficulty)).toEqual([0, 1, 2, 3, 4]);
  for (const profile of profiles) expect(profile).not.toHaveProperty('additional_bases_for_this_difficulty');
});

it('doors close automatically by default', () => {
  const { doors } = kindOf('automatic-doors').defaults() as { doors: Record<string, unknown> };
  expect(Object.values(doors)).toEqual(Array.from({ length: 7 }, () => ({ is_enabled: true })));
});

it('omitted rates are unchanged, unless the others are given', () => {
  const file = 'config/GatherManager.json';
  const present = new Map([[file, '{"Options": {"GatherResourceModifiers": {"Wood": 3.0, "Scrap": 2.0}}}']]);
  const after = (config: ConfigData) => kindOf('gather').toFiles(config, present).get(file);
  expect(after({ gather: { wood: 4 } })).toContain('"Wood": 4.0, "Scrap": 2.0');
  expect(after({ gather: { wood: 4, others: {} } })).toContain('{"Wood": 4.0}');
});

describe('a kind whose schema has a field without a place', () => {
  it.each([{ type: 'string' }, { type: 'string', 'x-key': 'A', 'x-kept': true }])(
    'is rejected: %j',
    (field) => {
      const make = () =>
        new PluginKind(
          {
            name: 'toy',
            noun: 'Toy',
            title: 'toy',
            files: [{ file: 'config/Toy.json', plugin: 'Toy' }],
            presets: [],
          },
          { ToyConfigData: { type: 'object', properties: { lost: field } } },
        );
      expect(make).toThrow('toy: /lost needs either x-key or x-kept');
    },
  );
});
