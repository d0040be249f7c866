// Tells version 4 of Kits from version 3, whose kits name items by numeric ids and stand in data/Kits.json.
import type { Node } from 'jsonc-parser';
import type { Generation } from '../generations.ts';
import { hasKey, propertyOf, valueOf } from '../json-text.ts';

export const kitsFile = 'data/Kits/kits_data.json';
export const configFile = 'config/Kits.json';

const at = (node: Node | undefined, key: string): Node | undefined => {
  const property = propertyOf(node, key);
  return property && valueOf(property);
};

const hasEntries = (node: Node | undefined) => (node?.children ?? []).length > 0;

/** Both versions note in their configuration which they are. */
const isOfMajor = (root: Node, fits: (major: number) => boolean): boolean => {
  const major: unknown = at(at(root, 'Version'), 'Major')?.value;
  return typeof major === 'number' && fits(major);
};

/** An empty list beside kits of version 3 is what another program has left there. */
const holdsKitsOfFour = (root: Node) =>
  hasKey('_kits')(root) && (hasEntries(at(root, '_kits')) || !hasEntries(at(root, 'Kits')));

const hasKeysOfFour = hasKey(
  'Log kits given',
  'Use the Kits UI menu',
  'Autokits ordered by priority',
  'Kit menu items when opened via HumanNPC (NPC user ID | Items)',
);

const hasKeysOfThree = hasKey('NPC - GUI Kits', 'CopyPaste - Parameters', 'Custom AutoKits', 'Kit - Logging');

/** Version 3 writes its configuration at each start, so that file tells more than kits which another program wrote. */
export const generations: readonly Generation[] = [
  {
    name: 'v4',
    title: 'version 4 of Kits',
    signs: {
      [configFile]: (root) => hasKeysOfFour(root) || isOfMajor(root, (major) => major >= 4),
      [kitsFile]: holdsKitsOfFour,
    },
  },
  {
    name: 'v3',
    title: 'version 3 of Kits',
    signs: {
      [configFile]: (root) => hasKeysOfThree(root) || isOfMajor(root, (major) => major < 4),
      [kitsFile]: hasKey('Kits'),
    },
  },
];
