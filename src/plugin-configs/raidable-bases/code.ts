// Loot entries of raidable bases that the plugin drops: unknown items and empty entries.
import type { Schemas } from '../../platform-contract/types.ts';
import type { Catalogue } from '../../game-catalogue/index.ts';
import type { CodeOf } from '../declared.ts';
import type { Remark } from '../reading.ts';
import { itemsInFields, unknownItems } from '../warnings.ts';

type Config = Schemas['RaidableBasesConfigData'];

const fields = new Set(['shortname', 'item_shortname']);

function warningsOf(config: Config, catalogue: Catalogue): Remark[] {
  const named = [...itemsInFields(config, '', fields)].map(({ pointer, shortname }) => ({
    pointer,
    shortname: shortname.replace(/\.bp$/, ''),
  }));
  return [
    ...unknownItems(named, catalogue, 'it is no loot unless the server adds it'),
    ...emptyEntries(config),
  ];
}

function emptyEntries(config: Config): Remark[] {
  return Object.entries(config).flatMap(([field, entries]) =>
    Array.isArray(entries)
      ? entries.flatMap(({ amount }, index) =>
          amount === 0
            ? [{ pointer: `/${field}/${index}/amount`, detail: 'is 0: the plugin drops the entry' }]
            : [],
        )
      : [],
  );
}

export const raidableBases: CodeOf<'raidable-bases'> = { warningsOf };
