// What there is in the game: items and containers of Rust, as plugins name them and as people do.
import { readFileSync } from 'node:fs';
import { SharedReply } from '../../contract/replies.ts';
import type { Query, Schemas } from '../../contract-types.ts';

/** It changes with releases of this platform. */
const keptSeconds = 3_600;

interface Named {
  /** What plugins call it. */
  code: string;
  name: string;
  category: string;
}

interface Item extends Named {
  isCommonLoot: boolean;
}

export class GameData {
  readonly #items: Item[] = rowsOf('items.tsv').map(([code = '', name = '', category = '', loot]) => ({
    code,
    name,
    category,
    isCommonLoot: loot === 'loot',
  }));
  readonly containers: readonly Named[] = rowsOf('containers.tsv').map(
    ([code = '', name = '', category = '']) => ({ code, name, category }),
  );

  items(query: Query<'listGameItems'> = {}): SharedReply<Schemas['GameItems']> {
    const { is_common_loot: isCommonLoot } = query;
    const found = this.#items.filter(
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

  lootContainers(query: Query<'listGameContainers'> = {}): SharedReply<Schemas['LootContainers']> {
    const found = this.containers.filter((container) => matches(container, query));
    const data = found.map(({ code, name, category }) => ({ prefab: code, name, category }));
    return new SharedReply({ data }, keptSeconds);
  }
}

function matches({ code, name, category }: Named, query: { q?: string; category?: string }): boolean {
  if (query.category !== undefined && query.category !== category) return false;
  const wanted = query.q?.toLowerCase();
  return wanted === undefined || [code, name].some((text) => text.toLowerCase().includes(wanted));
}

function rowsOf(file: string): string[][] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}
