// What loot profiles need code for: contradictions, unknown names, and the generation of tables.
import type { Node } from 'jsonc-parser';
import type { CodeOf } from '../declared.ts';
import { hasKey, propertiesOf, propertyOf, valueOf } from '../json-text.ts';
import { contradictionsIn } from './contradictions.ts';
import { warningsOf } from './warnings.ts';

const isLegacyContainer = hasKey('Enabled', 'Scrap', 'ItemsMin', 'ItemsMax', 'MaxBPs', 'ItemList');

function containersIn(root: Node): (Node | undefined)[] {
  const containers = valueOf(propertyOf(root, 'LootTables'));
  return containers === undefined ? [] : propertiesOf(containers).map(valueOf);
}

const hasLegacyContainers = (root: Node) => containersIn(root).some(isLegacyContainer);

/** Empty containers could belong to either generation. */
const hasContainers = (root: Node) =>
  containersIn(root).some((container) => container !== undefined && propertiesOf(container).length > 0);

const tables = 'data/BetterLoot/LootTables.json';

export const loot: CodeOf<'loot'> = {
  signs: {
    v4: { [tables]: (root) => hasContainers(root) && !hasLegacyContainers(root) },
    v3: { [tables]: hasLegacyContainers },
  },
  faultsOf: contradictionsIn,
  warningsOf,
};
