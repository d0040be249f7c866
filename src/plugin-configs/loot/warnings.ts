// Finds entries of a loot profile that BetterLoot silently drops: unknown containers, items and groups.
import type { Schemas } from '../../platform-contract/types.ts';
import { escaped } from '../json-text.ts';
import type { ConfigData } from '../kind.ts';
import type { Remark } from '../reading.ts';
import type { Catalogue } from '../../game-catalogue/index.ts';
import { unknownItems, type NamedItem } from '../warnings.ts';
import type { ConfigValue } from '../wanted.ts';

type Config = Schemas['LootConfigData'];

/** Fields whose entries are items, by shortname. */
const maps = new Set(['items', 'guaranteed_items', 'bonus_items', 'available', 'rarities']);

/** Non-player characters have loot like containers, and those of crashed satellites change with every release. */
const others = ['assets/rust.ai/', 'assets/prefabs/satellitecrash/'];
const unwrapped = 'unwrap/';

const dropped = 'the plugin ignores what the game does not have';

export function warningsOf(config: Config, catalogue: Catalogue): Remark[] {
  return [
    ...(['loot_table', 'legacy_loot_table'] as const).flatMap((table) =>
      Object.keys(config[table] ?? {}).flatMap((prefab) =>
        unknownContainer(prefab, `/${table}/${escaped(prefab)}`, catalogue),
      ),
    ),
    ...unknownGroups(config),
    ...unknownItems(namedIn(config, ''), catalogue, dropped),
  ];
}

function unknownContainer(prefab: string, pointer: string, { items, containers }: Catalogue): Remark[] {
  if (containers.has(prefab) || others.some((place) => prefab.startsWith(place))) return [];
  if (prefab.startsWith(unwrapped) && items.has(prefab.slice(unwrapped.length))) return [];
  const detail = 'is not a container of the catalog; the plugin drops unknown containers';
  return [{ pointer, detail }];
}

/** If no groups are given, the server's groups are unknown here. */
function unknownGroups({ loot_table: table = {}, loot_groups: groups }: Config): Remark[] {
  if (groups === undefined) return [];
  return Object.entries(table).flatMap(([prefab, { groups: used = [] }]) =>
    used.flatMap(({ group }, index) =>
      Object.hasOwn(groups, group)
        ? []
        : [
            {
              pointer: `/loot_table/${escaped(prefab)}/groups/${index}/group`,
              detail: `${group} is none of the loot_groups; nothing is drawn from it`,
            },
          ],
    ),
  );
}

function* namedIn(value: ConfigValue, pointer: string): Generator<NamedItem> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value as ConfigData)) {
    const at = `${pointer}/${escaped(key)}`;
    if (at === '/blacklist' || maps.has(key)) yield* namesIn(inner, at);
    if (key === 'shortname' && typeof inner === 'string' && inner !== '')
      yield { pointer: at, shortname: inner };
    yield* namedIn(inner, at);
  }
}

/** `.blueprint` and the number of a duplicate entry are not part of the name. */
function* namesIn(value: ConfigValue, pointer: string): Generator<NamedItem> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value as ConfigData)) {
    const name = isList ? (inner as string) : key;
    const shortname = name.replace(/\{\d+\}/, '').replace(/\.blueprint$/, '');
    yield { pointer: `${pointer}/${escaped(key)}`, shortname };
  }
}
