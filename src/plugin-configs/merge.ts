// Changes values within a JSON text and leaves every other byte unchanged.
import type { Node } from 'jsonc-parser';
import { entryEdits, type EntrySequence } from './children.ts';
import { applied, type Edit } from './edits.ts';
import {
  itemsOf,
  JsonFault,
  keyOf,
  pointerOf,
  propertiesByKey,
  propertiesOf,
  propertyOf,
  textOf,
  valueOf,
  type JsonText,
} from './json-text.ts';
import { firstValue, layoutOf, written, type Layout } from './layout.ts';
import { matchesAcross, matchesOf } from './matching.ts';
import type { Wanted, WantedArray, WantedObject } from './wanted-parts.ts';

/** Nodes that could not be read; they stay unless something else is wanted in their place. */
export type LeftOut = () => ReadonlySet<Node>;

const nothing: ReadonlySet<Node> = new Set();

/** The edits that bring a document to the wanted state; none if it has it already. */
export function editsFor(document: JsonText, wanted: Wanted, leftOut: LeftOut = () => nothing): Edit[] {
  const { text, root } = document;
  const layout = layoutOf(text);
  if (root === undefined) return [firstValue(text, written(wanted, layout, ''), layout)];
  const edits: Edit[] = [];
  edit(document, root, wanted, { layout, margin: '', edits, leftOut });
  return edits;
}

interface Place {
  layout: Layout;
  /** Indentation of the line on which the value begins. */
  margin: string;
  edits: Edit[];
  leftOut: LeftOut;
  /** The former elements of lists whose elements may come from other lists. */
  origins?: Origins;
}

type Origins = ReadonlyMap<WantedArray, readonly (Node | undefined)[]>;

function edit(document: JsonText, node: Node, wanted: Wanted, place: Place): void {
  if (wanted.is === 'value' && wanted.isSame(node, document)) return;
  if (wanted.is === 'object' && node.type === 'object') editObject(document, node, wanted, place);
  else if (wanted.is === 'array' && node.type === 'array') editArray(document, node, wanted, place);
  else if (wanted.isUsual !== true || !(node.type === 'null' || place.leftOut().has(node))) {
    refuseToOverwrite(node, wanted);
    if (wanted.is === 'value') put(node, wanted.jsonLike(textOf(document, node)), place);
    else put(node, writtenOf(document, wanted, place, place.margin), place);
  }
}

/** A value of another shape belongs to an unknown version of the plugin, and would be lost. */
function refuseToOverwrite(node: Node, wanted: Wanted): void {
  const isEmpty = (node.children ?? []).length === 0;
  const isEmptied = wanted.is === 'value' && wanted.json === 'null';
  if (!isEmpty && !isEmptied)
    throw new JsonFault(
      `${pointerOf(node)} is of the type ${node.type}, as in another version of the plugin`,
    );
}

const put = ({ offset, length }: Node, text: string, { edits }: Place) =>
  void edits.push({ offset, length, text });

/** A list may get its elements from others. */
function writtenOf(document: JsonText, wanted: Wanted, place: Place, margin: string): string {
  const origins = wanted.is === 'array' ? place.origins?.get(wanted) : undefined;
  if (wanted.is !== 'array' || origins === undefined || wanted.items.length === 0)
    return written(wanted, place.layout, margin);
  const outer = { ...place, margin };
  const inner = { ...outer, margin: margin + place.layout.indent, isInline: false };
  const parts = wanted.items.map((item, index) => textOfItem(document, item, origins[index], inner));
  return `[${bodyOf(parts.join(`,${place.layout.eol}${inner.margin}`), inner, outer)}]`;
}

/** The new text of an element, made from its former text. */
function textOfItem(document: JsonText, item: Wanted, origin: Node | undefined, inner: InnerPlace): string {
  if (origin === undefined) return written(item, inner.layout, inner.margin);
  const edits: Edit[] = [];
  edit(document, origin, item, { ...inner, edits });
  return applied(
    textOf(document, origin),
    edits.map((change) => ({ ...change, offset: change.offset - origin.offset })),
  );
}

function editObject(document: JsonText, node: Node, wanted: WantedObject, place: Place): void {
  const present = propertiesOf(node);
  const last = propertiesByKey(node);
  const inner = {
    ...innerPlace(document, node, present, place),
    ...(wanted.exchange && { origins: originsIn(document, node, wanted, place) }),
  };
  const presentOf = (key: string) => last.get(key) ?? last.get(wanted.formerKeys?.get(key) ?? key);
  const missing = (wanted.missing ?? []).filter(([key]) => presentOf(key) === undefined);
  const entries = [...wanted.entries, ...missing];
  const keys = new Set(entries.map(([key]) => key));
  const stays = (property: Node) => keys.has(keyOf(property)) || isLeftOut(valueOf(property), place);
  const kept = wanted.isWhole ? present.filter(stays) : present;
  const added: string[] = [];
  for (const [key, value] of entries) {
    const node = valueOf(presentOf(key));
    if (node !== undefined) edit(document, node, value, inner);
    else if (value.isUsual !== true)
      added.push(`${JSON.stringify(key)}: ${writtenOf(document, value, inner, inner.margin)}`);
  }
  settle(document, node, present, [...kept, ...added], inner, place);
}

/** The origins of elements that move between the lists of an object. */
function originsIn(
  document: JsonText,
  node: Node,
  { entries, exchange = [] }: WantedObject,
  place: Place,
): Origins {
  const lists = entries.flatMap(([key, value]) =>
    exchange.includes(key) && value.is === 'array' ? [{ key, value }] : [],
  );
  const nodes = lists.map(({ key }) => valueOf(propertyOf(node, key)));
  const isSame = lists.every(({ value }, index) => {
    const list = nodes[index];
    return list === undefined ? value.items.length === 0 : saysAll(document, list, value, place);
  });
  if (isSame) return new Map();
  const left = place.leftOut();
  const matches = matchesAcross(
    document,
    lists.map(({ value }, index) => ({
      items: value.items,
      present: itemsIn(nodes[index]).filter((item) => !left.has(item)),
    })),
    lists[0]?.value.identity ?? [],
    (value) => left.has(value),
  );
  return new Map(lists.map(({ value }, index) => [value, matches[index] ?? []]));
}

const itemsIn = (node: Node | undefined) => (node === undefined ? [] : itemsOf(node));

const isLeftOut = (node: Node | undefined, { leftOut }: Place) => node !== undefined && leftOut().has(node);

function editArray(document: JsonText, node: Node, wanted: WantedArray, place: Place): void {
  if (saysAll(document, node, wanted, place)) return;
  const present = itemsOf(node);
  const inner = innerPlace(document, node, present, place);
  const matches = matchesAmong(document, present, wanted, place);
  const unmatched = present.filter((item) => isLeftOut(item, place) && !matches.includes(item));
  if (
    !areInOrder(
      present,
      matches.filter((match) => match?.parent === node),
    )
  ) {
    rearrange(document, node, { wanted, matches, unmatched, inner, place });
    return;
  }
  const sequence = wanted.items.map((item, index) => {
    const match = matches[index];
    if (match?.parent !== node) return textOfItem(document, item, match, inner);
    edit(document, match, item, inner);
    return match;
  });
  settle(document, node, present, among(sequence, unmatched), inner, place);
}

/** Ignores what was left out when reading: finding it would take as long as reading the document. */
function saysAll(document: JsonText, node: Node, wanted: WantedArray, place: Place): boolean {
  const present = itemsOf(node);
  if (present.length !== wanted.items.length) return false;
  const edits: Edit[] = [];
  const matches = matchesOf(document, present, wanted);
  return wanted.items.every((item, index) => {
    const match = matches[index];
    if (match === undefined || match !== present[index]) return false;
    edit(document, match, item, { ...place, edits, leftOut: () => nothing });
    return edits.length === 0;
  });
}

/** A node that was left out is matched only if no other is, and only if elements have an identity. */
function matchesAmong(
  document: JsonText,
  present: readonly Node[],
  wanted: WantedArray,
  { leftOut, origins }: Place,
): readonly (Node | undefined)[] {
  const exchanged = origins?.get(wanted);
  if (exchanged !== undefined) return exchanged;
  const { items, identity } = wanted;
  const left = leftOut();
  const [taken, others] = [
    present.filter((item) => !left.has(item)),
    present.filter((item) => left.has(item)),
  ];
  const isLeft = (value: Node) => left.has(value);
  const matches = matchesOf(document, taken, { items, identity }, isLeft);
  if (identity === undefined || others.length === 0) return matches;
  const rest = items.filter((_, index) => matches[index] === undefined);
  const found = matchesOf(document, others, { items: rest, identity });
  return matches.map((match) => match ?? found.shift());
}

/** Puts elements back in their former positions. */
function among(sequence: EntrySequence, left: readonly Node[]): EntrySequence {
  return left.reduce<EntrySequence>((all, node) => {
    const before = all.findLastIndex((part) => typeof part !== 'string' && part.offset < node.offset);
    return all.toSpliced(before + 1, 0, node);
  }, sequence);
}

function areInOrder(present: readonly Node[], matches: readonly (Node | undefined)[]): boolean {
  let last = -1;
  return matches.every((match) => {
    if (match === undefined) return true;
    const index = present.indexOf(match, last + 1);
    if (index === -1) return false;
    last = index;
    return true;
  });
}

function settle(
  { text }: JsonText,
  node: Node,
  present: readonly Node[],
  sequence: EntrySequence,
  { isInline, margin }: InnerPlace,
  { edits, layout, margin: outerMargin }: Place,
): void {
  edits.push(
    ...entryEdits(text, node, present, sequence, { isInline, eol: layout.eol, margin, outerMargin }),
  );
}

interface Arrangement {
  wanted: WantedArray;
  matches: readonly (Node | undefined)[];
  /** Elements that were left out when reading and stay. */
  unmatched: readonly Node[];
  inner: InnerPlace;
  place: Place;
}

/** Rewrites the list from the former texts of its elements. */
function rearrange(
  document: JsonText,
  node: Node,
  { wanted, matches, unmatched, inner, place }: Arrangement,
): void {
  const parts = wanted.items.map((item, index) => textOfItem(document, item, matches[index], inner));
  for (const item of unmatched) parts.splice(itemsOf(node).indexOf(item), 0, textOf(document, item));
  const gap = inner.isInline ? ' ' : `${place.layout.eol}${inner.margin}`;
  const text = `[${bodyOf(parts.join(`,${gap}`), inner, place)}]`;
  place.edits.push({ offset: node.offset, length: node.length, text });
}

function bodyOf(joined: string, { isInline, margin }: InnerPlace, { layout, margin: outer }: Place): string {
  return isInline ? ` ${joined} ` : `${layout.eol}${margin}${joined}${layout.eol}${outer}`;
}

interface InnerPlace extends Place {
  /** Whether all of it is on one line. */
  isInline: boolean;
}

function innerPlace({ text }: JsonText, node: Node, children: Node[], place: Place): InnerPlace {
  const first = children[0];
  const { layout } = place;
  if (first === undefined) return { ...place, margin: place.margin + layout.indent, isInline: false };
  const gap = text.slice(node.offset, first.offset);
  const lineStart = node.offset + gap.lastIndexOf('\n') + 1;
  const isInline = lineStart === node.offset;
  const margin = isInline
    ? place.margin + layout.indent
    : (/^[ \t]*/.exec(text.slice(lineStart, first.offset))?.[0] ?? '');
  return { ...place, margin, isInline };
}
