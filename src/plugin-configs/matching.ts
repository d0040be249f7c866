// Matches each wanted list element to the existing element that it corresponds to.
import type { Node } from 'jsonc-parser';
import { propertyOf, textOf, valueOf, type JsonText } from './json-text.ts';
import type { Wanted } from './wanted-parts.ts';

/** Wanted elements, and the keys that identify them. */
export interface Matched {
  items: readonly Wanted[];
  identity?: readonly string[] | undefined;
}

/** The existing element of each wanted one: the one at its index, unless elements have an identity. */
export function matchesOf(
  document: JsonText,
  present: readonly Node[],
  { items, identity }: Matched,
  isLeftOut: (node: Node) => boolean = () => false,
): (Node | undefined)[] {
  if (identity === undefined) return items.map((_, index) => present[index]);
  return matchesAcross(document, [{ items, present }], identity, isLeftOut)[0] ?? [];
}

/** A wanted list, and its existing elements. */
export interface ListOfElements {
  items: readonly Wanted[];
  present: readonly Node[];
}

/** As `matchesOf`, for elements that may move between lists: of equally similar elements, one of the same list. */
export function matchesAcross(
  document: JsonText,
  lists: readonly ListOfElements[],
  identity: readonly string[],
  isLeftOut: (node: Node) => boolean,
): (Node | undefined)[][] {
  const found = lists.map(({ items }): (Node | undefined)[] => items.map(() => undefined));
  const left = new Map(lists.flatMap(({ present }, list) => present.map((node) => [node, list] as const)));
  const ownFirst = lists.length > 1 ? [true, false] : [false];
  for (const keys of alikenesses(identity))
    for (const isOwn of ownFirst) {
      const groupOf = (list: number, textOfKey: (key: string) => string | undefined) =>
        `${isOwn ? list : ''} ${identityIn(keys, textOfKey)}`;
      const named = Map.groupBy(left, ([node, list]) =>
        groupOf(list, (key) => textAt(document, node, key, isLeftOut)),
      );
      for (const [list, { items }] of lists.entries())
        for (const [index, wanted] of items.entries()) {
          if (found[list]?.[index] !== undefined || left.size === 0) continue;
          const [node] = named.get(groupOf(list, (key) => jsonAt(wanted, key)))?.shift() ?? [];
          if (node === undefined) continue;
          (found[list] ?? [])[index] = node;
          left.delete(node);
        }
    }
  return found;
}

/** Key sets from full similarity down to the first key alone. */
function alikenesses([first = '', ...others]: readonly string[]): string[][] {
  const but = others.map((_, index) => [first, ...others.toSpliced(-1 - index, 1)]);
  return others.length === 0 ? [[first]] : [[first, ...others], ...but, [first]];
}

const identityIn = (keys: readonly string[], textOfKey: (key: string) => string | undefined) =>
  JSON.stringify(keys.map((key) => textOfKey(key) ?? null));

/** A value that was left out when reading is not compared, either. */
function textAt(
  document: JsonText,
  node: Node,
  key: string,
  isLeftOut: (node: Node) => boolean,
): string | undefined {
  const value = valueOf(propertyOf(node, key));
  if (value === undefined || isLeftOut(value)) return undefined;
  return value.type === 'string' ? JSON.stringify(value.value) : textOf(document, value);
}

function jsonAt(wanted: Wanted, key: string): string | undefined {
  const [, value] = wanted.is === 'object' ? (wanted.entries.find(([name]) => name === key) ?? []) : [];
  return value?.is === 'value' ? value.json : undefined;
}
