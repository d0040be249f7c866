// The items and containers of Rust, by their names in plugins and their display names.
import { readFileSync } from 'node:fs';

export interface Named {
  /** What plugins call it. */
  code: string;
  name: string;
  category: string;
}

export interface Item extends Named {
  isCommonLoot: boolean;
}

export const items: readonly Item[] = rowsOf('items.tsv').map(
  ([code = '', name = '', category = '', loot]) => ({ code, name, category, isCommonLoot: loot === 'loot' }),
);

export const containers: readonly Named[] = rowsOf('containers.tsv').map(
  ([code = '', name = '', category = '']) => ({ code, name, category }),
);

function rowsOf(file: string): string[][] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

/** Names in the game, as plugins use them. Modded servers may have more. */
export interface Catalogue {
  items: ReadonlySet<string>;
  /** Display names of items, in English. */
  names: ReadonlySet<string>;
  containers: ReadonlySet<string>;
}

const codesOf = (things: readonly { code: string }[]) => new Set(things.map(({ code }) => code));

export const catalogue: Catalogue = {
  items: codesOf(items),
  names: new Set(items.map(({ name }) => name)),
  containers: codesOf(containers),
};
