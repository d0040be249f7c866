// Valid configurations that plugins would most likely reject.
import { warningsOf } from '../../src/plugin-configs/warnings.ts';
import { kindDefinitions } from '../../src/plugin-configs/registry.ts';
import type { ConfigData } from '../../src/plugin-configs/kind.ts';
import { kindOf } from '../support/plugin-kinds.ts';
import { samples } from '../support/plugin-samples.ts';

const crate = 'assets/bundled/prefabs/radtown/crate_normal.prefab';
const item = (shortname: string, more: object = {}) => ({ shortname, amount: 1, container: 'main', ...more });
const kitOf = (...items: object[]) => ({ kits: { a: { items } } });

it.each<[string, object, string[]]>([
  ['kits', kitOf(item('rifle.ak47')), ['/kits/a/items/0/shortname']],
  [
    'kits',
    kitOf(item('rifle.ak', { ammo_type: 'ammo.rifel', contents: [{ shortname: 'no.mod', amount: 1 }] })),
    ['/kits/a/items/0/ammo_type', '/kits/a/items/0/contents/0/shortname'],
  ],
  [
    'kits',
    kitOf(item('rock', { amount: 0, ammo_type: null, blueprint_shortname: '' })),
    ['/kits/a/items/0/amount'],
  ],
  ['kits', kitOf(item('rock'), item('torch')), ['/kits/a/items/1/position']],
  ['kits', kitOf(item('rock', { position: -1 }), item('torch', { position: -1 })), []],
  ['kits', kitOf(item('rock'), item('torch', { container: 'belt' })), []],
  ...[
    ['main', 24],
    ['wear', 8],
    ['belt', 6],
  ].flatMap(([container, slots]): [string, object, string[]][] => [
    ['kits', kitOf(item('rock', { container, position: Number(slots) - 1 })), []],
    ['kits', kitOf(item('rock', { container, position: slots })), ['/kits/a/items/0/position']],
  ]),
  ['loot', { loot_table: { 'not a prefab': {} } }, ['/loot_table/not a prefab']],
  ['loot', { legacy_loot_table: { 'not/a/prefab': {} } }, ['/legacy_loot_table/not~1a~1prefab']],
  ['loot', { loot_table: { [crate]: {}, 'unwrap/xmas.present.small': {} } }, []],
  [
    'loot',
    { loot_table: { 'assets/rust.ai/agents/npcplayer/humannpc/scientist/scientistnpc_heavy.prefab': {} } },
    [],
  ],
  ['loot', { loot_table: { 'unwrap/nothing': {} } }, ['/loot_table/unwrap~1nothing']],
  [
    'loot',
    { loot_groups: { a: { items: { 'no.such.item': { amount: { bonus_items: { 'no.bonus': {} } } } } } } },
    ['/loot_groups/a/items/no.such.item', '/loot_groups/a/items/no.such.item/amount/bonus_items/no.bonus'],
  ],
  ['loot', { loot_groups: { a: { items: { 'rifle.ak.blueprint': {}, 'rifle.ak{1}': {} } } } }, []],
  ['loot', { blacklist: ['rifle.ak', 'rifle.ak47'] }, ['/blacklist/1']],
  ['loot', { loot_table: { [crate]: { groups: [{ group: 'nope' }] } } }, []],
  [
    'loot',
    {
      loot_table: { [crate]: { groups: [{ group: 'a' }, { group: 'nope' }] } },
      loot_groups: { a: { items: {} } },
    },
    [`/loot_table/${crate.replaceAll('/', '~1')}/groups/1/group`],
  ],
  [
    'raidable-bases',
    {
      default_loot: [
        { shortname: 'rifle.ak.bp', amount: 1 },
        { shortname: 'rock', amount: 0 },
      ],
    },
    ['/default_loot/1/amount'],
  ],
  ['raidable-bases', { hard_loot: [{ shortname: 'rifle.ak47' }] }, ['/hard_loot/0/shortname']],
  ['gather', { pickup: { others: { Scrap: 2, Tree: 1, scrap: 2 } } }, ['/pickup/others/scrap']],
  [
    'teleport',
    { settings: { blocked_items: { 'rifle.ak': 'no', 'rifle.ak47': 'no' } } },
    ['/settings/blocked_items/rifle.ak47'],
  ],
])('of %s %j have their locations', (name, config, pointers) => {
  const found = warningsOf(kindOf(name).definition, config as ConfigData);
  expect(found.map(({ pointer }) => pointer).toSorted()).toEqual(pointers.toSorted());
  expect(found.every(({ detail }) => /^[a-zA-Z].{10,}/.test(detail))).toBe(true);
});

it('are a hundred at most', () => {
  const names = Array.from({ length: 150 }, (_, number) => `no.item.${number}`);
  expect(warningsOf(kindOf('loot').definition, { blacklist: names })).toHaveLength(100);
});

describe.each(kindDefinitions.map(({ name }) => name))('%s', (name) => {
  const kind = kindOf(name);

  it('has presets without any, which say what they replace', () => {
    for (const { config, description } of kind.presets()) {
      expect(warningsOf(kind.definition, config)).toEqual([]);
      expect(description).toMatch(/\. Replaces .*\.$/);
    }
  });

  it('has none for its samples', () => {
    for (const contents of samples[name] ?? []) {
      const { config } = kind.fromFiles(new Map(Object.entries(contents)));
      expect(warningsOf(kind.definition, config)).toEqual([]);
    }
  });
});
