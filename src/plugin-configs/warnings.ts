// Finds parts of a valid configuration that the plugin would not accept: names that the game does not have.
import { catalogue, type Catalogue } from '../game-catalogue/index.ts';
import type { ConfigData, KindDefinition } from './definition.ts';
import { escaped } from './json-text.ts';
import type { Remark } from './reading.ts';
import { maxRemarks } from './remarks.ts';
import type { ConfigValue } from './wanted.ts';

export const warningsOf = ({ warningsOf: ofKind = () => [] }: KindDefinition, config: ConfigData): Remark[] =>
  [...ofKind(config, catalogue)].slice(0, maxRemarks);

/** An item name and its place. */
export interface NamedItem {
  pointer: string;
  shortname: string;
}

/** Items that the catalogue lacks; `consequence` is what the plugin does with them. */
export const unknownItems = (
  named: Iterable<NamedItem>,
  { items: known }: Catalogue,
  consequence: string,
): Remark[] =>
  [...named]
    .filter(({ shortname }) => !known.has(shortname))
    .map(({ pointer, shortname }) => ({
      pointer,
      detail: `${shortname} is not an item of the catalog; ${consequence}`,
    }));

/** Item names in fields of these names, at every depth; empty names are skipped. */
export function* itemsInFields(
  value: ConfigValue,
  pointer: string,
  fields: ReadonlySet<string>,
): Generator<NamedItem> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value as ConfigData)) {
    const at = `${pointer}/${escaped(key)}`;
    if (typeof inner !== 'string') yield* itemsInFields(inner, at, fields);
    else if (fields.has(key) && inner !== '') yield { pointer: at, shortname: inner };
  }
}
