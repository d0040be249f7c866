// The game's item and container names, for checking plugin configurations.
import { containers, items } from '../game-catalogue/index.ts';

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
