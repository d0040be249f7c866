// Distinguishes version 4 of Kits from version 3, as far as keys alone do not.
import type { Node } from 'jsonc-parser';
import type { CodeOf } from '../declared.ts';
import { hasKey, propertyOf, valueOf } from '../json-text.ts';

const at = (node: Node | undefined, key: string): Node | undefined => valueOf(propertyOf(node, key));

const hasEntries = (node: Node | undefined) => (node?.children ?? []).length > 0;

/** Both versions store their number in their configuration. */
const isOfMajor = (root: Node, fits: (major: number) => boolean): boolean => {
  const major: unknown = at(at(root, 'Version'), 'Major')?.value;
  return typeof major === 'number' && fits(major);
};

/** Another program may have left an empty list beside kits of version 3. */
const holdsKitsOfFour = (root: Node) =>
  hasKey('_kits')(root) && (hasEntries(at(root, '_kits')) || !hasEntries(at(root, 'Kits')));

/** Version 3 writes its configuration at each start, so it decides before kits that another program wrote. */
export const signs: CodeOf<'kits'>['signs'] = {
  v4: {
    'config/Kits.json': (root) => isOfMajor(root, (major) => major >= 4),
    'data/Kits/kits_data.json': holdsKitsOfFour,
  },
  v3: { 'config/Kits.json': (root) => isOfMajor(root, (major) => major < 4) },
};
