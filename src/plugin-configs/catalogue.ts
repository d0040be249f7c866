// The names of the game, by which configurations of plugins are checked.
import { containers, items } from '../game-catalogue/index.ts';

/** What the game has, as plugins call it. Servers with modifications may have more. */
export interface Catalogue {
  items: ReadonlySet<string>;
  /** What the game shows of items, in English. */
  names: ReadonlySet<string>;
  containers: ReadonlySet<string>;
}

const codesOf = (things: readonly { code: string }[]) => new Set(things.map(({ code }) => code));

export const catalogue: Catalogue = {
  items: codesOf(items),
  names: new Set(items.map(({ name }) => name)),
  containers: codesOf(containers),
};
