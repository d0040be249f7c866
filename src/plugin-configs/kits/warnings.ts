// Finds items of kits that the plugin would fail on or not give: unknown items and invalid positions.
import type { Schemas } from '../../platform-contract/types.ts';
import { escaped } from '../json-text.ts';
import type { Remark } from '../reading.ts';
import type { Catalogue } from '../../game-catalogue/index.ts';
import { itemsInFields, unknownItems } from '../warnings.ts';
import { lists } from './lists.ts';

const fields = new Set(['shortname', 'ammo_type', 'blueprint_shortname']);

export function warningsOf({ kits = {} }: Schemas['KitsConfigData'], catalogue: Catalogue): Remark[] {
  return [
    ...unknownItems(
      itemsInFields(kits, '/kits', fields),
      catalogue,
      'the plugin fails on what the game does not have',
    ),
    ...Object.entries(kits).flatMap(([name, kit]) => misplaced(kit, `/kits/${escaped(name)}/items`)),
  ];
}

/** An item without a position goes into the first slot. */
function misplaced({ items }: Schemas['Kit'], pointer: string): Remark[] {
  const taken = new Map<string, number>();
  return items.flatMap((item, index) => {
    const { container, position = 0, amount } = item;
    const { slots } = lists[container];
    const at = `${pointer}/${index}`;
    const slot = `${container} ${position}`;
    const other = taken.get(slot);
    if (position >= 0 && other === undefined) taken.set(slot, index);
    return [
      ...(amount === 0 ? [{ pointer: `${at}/amount`, detail: 'is 0: nothing is given' }] : []),
      ...(position >= slots
        ? [{ pointer: `${at}/position`, detail: `is beyond the ${slots} slots of ${container}` }]
        : []),
      ...(other === undefined
        ? []
        : [
            {
              pointer: `${at}/position`,
              detail: `is slot ${position} of ${container}, which ${pointer}/${other} has already`,
            },
          ]),
    ];
  });
}
