// What is to stand in a document, part by part.
import type { Node } from 'jsonc-parser';
import type { JsonText } from './json-text.ts';

/** What is to stand at a place of a document. */
export type Wanted = WantedValue | WantedObject | WantedArray;

interface WantedPart {
  /** Whether the plugin has it so where there is no such key, or null. */
  isUsual?: boolean;
}

interface WantedValue extends WantedPart {
  is: 'value';
  /** As JSON. */
  json: string;
  /** The same in the form of what stood there, for numbers with and without a point and ids in quotes. */
  jsonLike: (text: string) => string;
  /** Whether what stands there says the same already, in whatever form. */
  isSame: (node: Node, document: JsonText) => boolean;
}

export interface WantedObject extends WantedPart {
  is: 'object';
  entries: readonly (readonly [key: string, wanted: Wanted])[];
  /** Whether keys beside these are removed; otherwise they are somebody else's, and stay. */
  isWhole: boolean;
  /** What is added where there is no such key, and left as it is where there is one. */
  missing?: WantedObject['entries'];
  /** What is added where the object itself is new. */
  ifNew?: WantedObject['entries'];
  /** Keys of lists among which elements move, and take along what is theirs. */
  exchange?: readonly string[];
  /** Keys of older files, by those of today: a document that has them keeps them. */
  formerKeys?: ReadonlyMap<string, string>;
}

export interface WantedArray extends WantedPart {
  is: 'array';
  items: readonly Wanted[];
  /**
   * The keys by which elements are told apart, whose other keys stay: the first must be the same, the others decide
   * among those. Elements at one place are the same unless given.
   */
  identity?: readonly string[];
}

/** What is wanted, and what else there is to be at its top where nothing is. */
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

/** All of what is wanted of one document. */
export function together(all: readonly Wanted[]): Wanted {
  const [first, ...others] = all;
  if (first === undefined) throw new Error('nothing is wanted');
  if (first.is !== 'object' || others.length === 0) return first;
  const entries = all.flatMap((wanted) => (wanted.is === 'object' ? wanted.entries : []));
  return { ...first, entries };
}
