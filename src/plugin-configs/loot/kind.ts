// Loot profiles: the tables, groups and settings of the plugin BetterLoot, in both generations of its files.
import type { Node } from 'jsonc-parser';
import { propertiesOf, propertyOf, valueOf } from '../json-text.ts';
import type { KindDefinition, Preset } from '../kind.ts';
import { contradictionsIn } from './contradictions.ts';

const plugin = 'BetterLoot';
const tables = 'data/BetterLoot/LootTables.json';

const legacyKeys = ['Enabled', 'Scrap', 'ItemsMin', 'ItemsMax', 'MaxBPs', 'ItemList'];

/** Containers of version 4 have none of the keys that those of version 3 have. */
function isLegacy(root: Node): boolean {
  const containers = valueOf(propertyOf(root, 'LootTables'));
  return (
    containers !== undefined &&
    propertiesOf(containers).some((property) => {
      const container = valueOf(property);
      return legacyKeys.some((key) => propertyOf(container, key) !== undefined);
    })
  );
}

const isEmpty = (root: Node) => propertiesOf(valueOf(propertyOf(root, 'LootTables')) ?? root).length === 0;

function preset(times: number): Preset {
  return {
    name: `${times}x`,
    description:
      times === 1 ? 'As the tables have it.' : `${times} times as much of every item, and of scrap.`,
    config: { settings: { loot: { loot_multiplier: times, scrap_multiplier: times } } },
  };
}

export const loot: KindDefinition<'Loot'> = {
  name: 'loot',
  noun: 'Loot',
  title: 'loot',
  files: [
    {
      file: tables,
      field: 'loot_table',
      key: 'LootTables',
      plugin,
      isFor: (root) => isEmpty(root) || !isLegacy(root),
    },
    {
      file: tables,
      field: 'legacy_loot_table',
      key: 'LootTables',
      plugin,
      isFor: (root) => isEmpty(root) || isLegacy(root),
    },
    { file: 'data/BetterLoot/LootGroups.json', field: 'loot_groups', key: 'Loot Groups', plugin },
    { file: 'data/BetterLoot/Blacklist.json', field: 'blacklist', key: 'ItemList', plugin },
    { file: 'config/BetterLoot.json', field: 'settings', plugin },
  ],
  presets: [1, 2, 3, 5, 10].map(preset),
  faultsOf: contradictionsIn,
  // An empty table is for either generation.
  afterReading: ({ legacy_loot_table: legacy, ...config }) =>
    legacy === undefined || config['loot_table'] !== undefined
      ? config
      : { ...config, legacy_loot_table: legacy },
};
