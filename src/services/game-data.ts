// Reference data of the game, such as its items.
import { SharedReply } from '../results/results.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import { containers, items, type Named } from '../game-catalogue/index.ts';

/** The data changes only with releases of this platform. */
const keptSeconds = 3_600;

export class GameData {
  readonly containers = containers;

  items(query: Query<'listGameItems'> = {}): SharedReply<Schemas['GameItemList']> {
    const { is_common_loot: isCommonLoot } = query;
    const found = items.filter(
      (item) => matches(item, query) && (isCommonLoot === undefined || item.isCommonLoot === isCommonLoot),
    );
    const data = found.map((item) => ({
      shortname: item.code,
      name: item.name,
      category: item.category,
      is_common_loot: item.isCommonLoot,
    }));
    return new SharedReply({ data }, keptSeconds);
  }

  lootContainers(query: Query<'listGameContainers'> = {}): SharedReply<Schemas['LootContainerList']> {
    const found = containers.filter((container) => matches(container, query));
    const data = found.map(({ code, name, category }) => ({ prefab: code, name, category }));
    return new SharedReply({ data }, keptSeconds);
  }
}

function matches({ code, name, category }: Named, query: { q?: string; category?: string }): boolean {
  if (query.category !== undefined && query.category !== category) return false;
  const wanted = query.q?.toLowerCase();
  return wanted === undefined || [code, name].some((text) => text.toLowerCase().includes(wanted));
}
