// The wanted content of a document, as a tree of parts.
import type { Node } from 'jsonc-parser';
import type { JsonText } from './json-text.ts';

/** The wanted content at a place of a document. */
export type Wanted = WantedValue | WantedObject | WantedArray;

interface WantedPart {
  /** Whether a missing or null key means the same to the plugin. */
  isUsual?: boolean;
}

interface WantedValue extends WantedPart {
  is: 'value';
  /** As JSON. */
  json: string;
  /** The value in the notation of the former text: with or without a decimal point, or quotes around an id. */
  jsonLike: (text: string) => string;
  /** Whether the node already has an equal value, in any form. */
  isSame: (node: Node, document: JsonText) => boolean;
}

export interface WantedObject extends WantedPart {
  is: 'object';
  entries: readonly (readonly [key: string, wanted: Wanted])[];
  /** Whether other keys are removed; otherwise they belong to others and stay. */
  isWhole: boolean;
  /** Entries that are added if their key is missing, and left unchanged if it is present. */
  missing?: WantedObject['entries'];
  /** Entries that are added if the object itself is new. */
  ifNew?: WantedObject['entries'];
  /** Keys of lists between which elements move with all their content. */
  exchange?: readonly string[];
  /** Current keys and the keys of older files: a document with older keys keeps them. */
  formerKeys?: ReadonlyMap<string, string>;
}

export interface WantedArray extends WantedPart {
  is: 'array';
  items: readonly Wanted[];
  /**
   * The keys that identify elements, whose other keys stay: the first must match, the others decide among the matches.
   * Without an identity, elements correspond by index.
   */
  identity?: readonly string[];
}

/** The wanted part, plus entries of `complete` that it lacks at its top level. */
export function completed(wanted: Wanted, complete: Wanted): Wanted {
  if (wanted.is !== 'object' || complete.is !== 'object') return wanted;
  const keys = new Set(wanted.entries.map(([key]) => key));
  const needed = new Set(complete.entries.map(([key]) => key));
  const formerKeys = new Map([...(wanted.formerKeys ?? []), ...(complete.formerKeys ?? [])]);
  return {
    ...wanted,
    entries: wanted.entries.map(([key, value]) => [
      key,
      needed.has(key) ? { ...value, isUsual: false } : value,
    ]),
    formerKeys,
    missing: complete.entries.filter(([key]) => !keys.has(key)),
  };
}

/** Merges all wanted parts of one document. */
export function together(all: readonly Wanted[]): Wanted {
  const [first, ...others] = all;
  if (first === undefined) throw new Error('nothing is wanted');
  if (first.is !== 'object' || others.length === 0) return first;
  const entries = all.flatMap((wanted) => (wanted.is === 'object' ? wanted.entries : []));
  return { ...first, entries };
}
