// Distinguishes versions 3 and 4 of BetterLoot by their files.
import type { Node } from 'jsonc-parser';
import type { Generation } from '../generations.ts';
import { hasKey, propertiesOf, propertyOf, valueOf } from '../json-text.ts';

export const configFile = 'config/BetterLoot.json';
export const tablesFile = 'data/BetterLoot/LootTables.json';
export const groupsFile = 'data/BetterLoot/LootGroups.json';

const isLegacyContainer = hasKey('Enabled', 'Scrap', 'ItemsMin', 'ItemsMax', 'MaxBPs', 'ItemList');

function containersIn(root: Node): (Node | undefined)[] {
  const containers = valueOf(propertyOf(root, 'LootTables'));
  return containers === undefined ? [] : propertiesOf(containers).map(valueOf);
}

const hasLegacyContainers = (root: Node) => containersIn(root).some(isLegacyContainer);

/** An empty table could belong to either. */
export const generations: readonly Generation[] = [
  {
    name: 'v4',
    title: 'version 4 of BetterLoot',
    signs: {
      [configFile]: hasKey(
        'Chat Configuration',
        'General Configuration',
        'Loot Configuration',
        'Loot Groups Configuration',
      ),
      [tablesFile]: (root) =>
        containersIn(root).some(
          (container) => container !== undefined && propertiesOf(container).length > 0,
        ) && !hasLegacyContainers(root),
      [groupsFile]: hasKey('Loot Groups'),
    },
  },
  {
    name: 'v3',
    title: 'version 3 of BetterLoot',
    signs: { [configFile]: hasKey('Generic', 'Loot', 'Rarity'), [tablesFile]: hasLegacyContainers },
  },
];
