// Loot profiles: the tables, groups and settings of the plugin BetterLoot, in both generations of its files.
import type { KindDefinition, Preset } from '../kind.ts';
import { contradictionsIn } from './contradictions.ts';
import { configFile, generations, groupsFile, tablesFile } from './generations.ts';
import { warningsOf } from './warnings.ts';

const plugin = 'BetterLoot';

function presets(times: number): Preset[] {
  const loot = { loot_multiplier: times, scrap_multiplier: times };
  const amounts =
    times === 1 ? 'As the tables have it.' : `${times} times as much of every item, and of scrap.`;
  const description = `${amounts} Replaces the two multipliers; tables and groups stay.`;
  return [
    { name: `${times}x`, description, config: { settings: { loot } } },
    { name: `${times}x for version 3`, description, config: { legacy_settings: { loot } } },
  ];
}

export const loot: KindDefinition<'Loot'> = {
  name: 'loot',
  noun: 'Loot',
  title: 'loot',
  generations,
  files: [
    { file: tablesFile, field: 'loot_table', key: 'LootTables', plugin },
    { file: tablesFile, field: 'legacy_loot_table', key: 'LootTables', plugin },
    { file: groupsFile, field: 'loot_groups', key: 'Loot Groups', plugin },
    { file: 'data/BetterLoot/Blacklist.json', field: 'blacklist', key: 'ItemList', plugin },
    { file: configFile, field: 'settings', plugin },
    { file: configFile, field: 'legacy_settings', plugin },
  ],
  presets: [1, 2, 3, 5, 10].flatMap(presets),
  faultsOf: contradictionsIn,
  warningsOf,
};
