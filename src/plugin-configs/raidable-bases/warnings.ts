// Finds loot entries of raidable bases that the plugin drops: unknown items and empty entries.
import type { ConfigData } from '../kind.ts';
import type { Remark } from '../reading.ts';
import type { Catalogue } from '../catalogue.ts';
import { itemsInFields, unknownItems } from '../warnings.ts';

const fields = new Set(['shortname', 'item_shortname']);

export function warningsOf(config: ConfigData, catalogue: Catalogue): Remark[] {
  const named = [...itemsInFields(config, '', fields)].map(({ pointer, shortname }) => ({
    pointer,
    shortname: shortname.replace(/\.bp$/, ''),
  }));
  return [...unknownItems(named, catalogue, 'it is no loot unless the server adds it'), ...nothing(config)];
}

function nothing(config: ConfigData): Remark[] {
  return Object.entries(config).flatMap(([field, entries]) =>
    Array.isArray(entries)
      ? (entries as readonly ConfigData[]).flatMap(({ amount }, index) =>
          amount === 0
            ? [{ pointer: `/${field}/${index}/amount`, detail: 'is 0: the plugin drops the entry' }]
            : [],
        )
      : [],
  );
}
