// Finds contradictions in a loot profile.
import type { Schemas } from '../../platform-contract/types.ts';
import { escaped } from '../json-text.ts';
import type { Remark } from '../reading.ts';
import type { ConfigValue } from '../wanted.ts';

type Config = Schemas['LootConfigData'];

/** Field pairs of a minimum and its maximum. */
const pairs = [
  ['min', 'max'],
  ['min_items', 'max_items'],
  ['min_scrap', 'max_scrap'],
  ['min_blueprints', 'max_blueprints'],
  ['min_percent', 'max_percent'],
  ['min_rounds', 'max_rounds'],
  ['min_count', 'max_count'],
] as const;

export function contradictionsIn(config: Config): Remark[] {
  const faults: Remark[] = [];
  collect(config, '', faults);
  return [...faults, ...unknownToLegacy(config.legacy_loot_table)];
}

/** Names that only version 4 understands. */
function unknownToLegacy(table: Config['legacy_loot_table'] = {}): Remark[] {
  return Object.entries(table).flatMap(([prefab, { items }]) => {
    const pointer = `/legacy_loot_table/${escaped(prefab)}`;
    return [
      ...(prefab.startsWith('unwrap/') ? [{ pointer, detail: 'is not a container of version 3' }] : []),
      ...Object.keys(items ?? {})
        .filter((shortname) => /\{\d+\}$/.test(shortname))
        .map((shortname) => ({
          pointer: `${pointer}/items/${escaped(shortname)}`,
          detail: 'is not an item of version 3, which lists each item once',
        })),
    ];
  });
}

function collect(value: ConfigValue, pointer: string, faults: Remark[]): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = new Map<string, ConfigValue>(Object.entries(value));
  for (const [min, max] of pairs) {
    const [low, high] = [fields.get(min), fields.get(max)];
    if (typeof low === 'number' && typeof high === 'number' && low > high)
      faults.push({
        pointer: `${pointer}/${min}`,
        detail: `${low} is more than ${max}, which is ${high}`,
      });
  }
  for (const [key, inner] of fields) collect(inner, `${pointer}/${escaped(key)}`, faults);
}
