// Finds for each element that a list is to have the one that it was before.
import type { Node } from 'jsonc-parser';
import { propertyOf, textOf, valueOf, type JsonText } from './json-text.ts';
import type { Wanted } from './merge.ts';

/** Elements that are wanted, and by which of their keys they are told apart. */
export interface Matched {
  items: readonly Wanted[];
  identity?: readonly string[] | undefined;
}

/** The element that each wanted one was before: the one at its place, unless elements can be told apart. */
export function matchesOf(
  document: JsonText,
  present: readonly Node[],
  { items, identity }: Matched,
  isLeftOut: (node: Node) => boolean = () => false,
): (Node | undefined)[] {
  if (identity === undefined) return items.map((_, index) => present[index]);
  const found: (Node | undefined)[] = items.map(() => undefined);
  const left = new Set(present);
  for (const keys of alikenesses(identity)) {
    const named = Map.groupBy(left, (node) =>
      identityIn(keys, (key) => textAt(document, node, key, isLeftOut)),
    );
    for (const [index, wanted] of items.entries()) {
      if (found[index] !== undefined || left.size === 0) continue;
      const node = named.get(identityIn(keys, (key) => jsonAt(wanted, key)))?.shift();
      found[index] = node;
      if (node !== undefined) left.delete(node);
    }
  }
  return found;
}

/** From alike in everything to alike in the first. */
function alikenesses([first = '', ...others]: readonly string[]): string[][] {
  const but = others.map((_, index) => [first, ...others.toSpliced(-1 - index, 1)]);
  return others.length === 0 ? [[first]] : [[first, ...others], ...but, [first]];
}

const identityIn = (keys: readonly string[], textOfKey: (key: string) => string | undefined) =>
  JSON.stringify(keys.map((key) => textOfKey(key) ?? null));

/** What was left out of an element is not wanted of it either. */
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
