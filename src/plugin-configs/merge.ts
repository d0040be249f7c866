// Changes values within a JSON text and leaves every other byte of it as it is.
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
  textOf,
  valueOf,
  type JsonText,
} from './json-text.ts';
import { matchesOf } from './matching.ts';

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

/** How a document is laid out. */
interface Layout {
  eol: string;
  indent: string;
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

/** What stands in a document and nobody could take over, so that it stays where nothing else is wanted in its place. */
export type LeftOut = () => ReadonlySet<Node>;

const nothing: ReadonlySet<Node> = new Set();

/** What is to be done to the text of a document for what is wanted; nothing where it says so already. */
export function editsFor(document: JsonText, wanted: Wanted, leftOut: LeftOut = () => nothing): Edit[] {
  const { text, root } = document;
  const layout = layoutOf(text);
  if (root === undefined) return [firstValue(text, written(wanted, layout, ''), layout)];
  const edits: Edit[] = [];
  edit(document, root, wanted, { layout, margin: '', edits, leftOut });
  return edits;
}

/** In the place of blanks, and after comments. */
function firstValue(text: string, value: string, { eol }: Layout): Edit {
  const offset = text.trimEnd().length;
  const comments = offset === 0 ? '' : eol;
  return { offset, length: text.length - offset, text: `${comments}${value}${eol}` };
}

interface Place {
  layout: Layout;
  /** What stands before the line that the value begins on. */
  margin: string;
  edits: Edit[];
  leftOut: LeftOut;
}

function edit(document: JsonText, node: Node, wanted: Wanted, place: Place): void {
  if (wanted.is === 'value' && wanted.isSame(node, document)) return;
  if (wanted.is === 'object' && node.type === 'object') editObject(document, node, wanted, place);
  else if (wanted.is === 'array' && node.type === 'array') editArray(document, node, wanted, place);
  else if (wanted.isUsual !== true || !(node.type === 'null' || place.leftOut().has(node))) {
    refuseToOverwrite(node, wanted);
    if (wanted.is === 'value') put(node, wanted.jsonLike(textOf(document, node)), place);
    else replace(node, wanted, place);
  }
}

/** What is of another shape belongs to a version of the plugin that is not known here, and would be lost. */
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

const replace = (node: Node, wanted: Wanted, place: Place) =>
  put(node, written(wanted, place.layout, place.margin), place);

function editObject(document: JsonText, node: Node, wanted: WantedObject, place: Place): void {
  const present = propertiesOf(node);
  const last = propertiesByKey(node);
  const inner = innerPlace(document, node, present, place);
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
      added.push(`${JSON.stringify(key)}: ${written(value, place.layout, inner.margin)}`);
  }
  settle(document, node, present, [...kept, ...added], inner, place);
}

const isLeftOut = (node: Node | undefined, { leftOut }: Place) => node !== undefined && leftOut().has(node);

function editArray(document: JsonText, node: Node, wanted: WantedArray, place: Place): void {
  if (saysAll(document, node, wanted, place)) return;
  const present = itemsOf(node);
  const inner = innerPlace(document, node, present, place);
  const matches = matchesAmong(document, present, wanted, place);
  const unmatched = present.filter((item) => isLeftOut(item, place) && !matches.includes(item));
  if (!areInOrder(present, matches)) {
    rearrange(document, node, { wanted, matches, unmatched, inner, place });
    return;
  }
  const sequence = wanted.items.map((item, index) => {
    const match = matches[index];
    if (match === undefined) return written(item, place.layout, inner.margin);
    edit(document, match, item, inner);
    return match;
  });
  settle(document, node, present, among(sequence, unmatched), inner, place);
}

/** Without asking what was left out, which takes as long as reading the document does. */
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

/** What was left out is only what nothing else is, and only where elements can be told apart. */
function matchesAmong(
  document: JsonText,
  present: readonly Node[],
  { items, identity }: WantedArray,
  { leftOut }: Place,
): (Node | undefined)[] {
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

/** Puts elements back where they stood. */
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
  matches: (Node | undefined)[];
  /** What was left out and stays. */
  unmatched: readonly Node[];
  inner: InnerPlace;
  place: Place;
}

/** Writes the list anew, out of the texts that its elements had. */
function rearrange(
  document: JsonText,
  node: Node,
  { wanted, matches, unmatched, inner, place }: Arrangement,
): void {
  const parts = wanted.items.map((item, index) => {
    const match = matches[index];
    if (match === undefined) return written(item, place.layout, inner.margin);
    const edits: Edit[] = [];
    edit(document, match, item, { ...inner, edits });
    const { offset, length } = match;
    return applied(
      document.text.slice(offset, offset + length),
      edits.map((change) => ({ ...change, offset: change.offset - offset })),
    );
  });
  for (const item of unmatched) parts.splice(itemsOf(node).indexOf(item), 0, textOf(document, item));
  const gap = inner.isInline ? ' ' : `${place.layout.eol}${inner.margin}`;
  const text = `[${bodyOf(parts.join(`,${gap}`), inner, place)}]`;
  place.edits.push({ offset: node.offset, length: node.length, text });
}

function bodyOf(joined: string, { isInline, margin }: InnerPlace, { layout, margin: outer }: Place): string {
  return isInline ? ` ${joined} ` : `${layout.eol}${margin}${joined}${layout.eol}${outer}`;
}

interface InnerPlace extends Place {
  /** Whether all of it stands on one line. */
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

function layoutOf(text: string): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { eol, indent: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ' };
}

function written(wanted: Wanted, layout: Layout, margin: string): string {
  if (wanted.is === 'value') return wanted.json;
  const inner = margin + layout.indent;
  const parts =
    wanted.is === 'object'
      ? [...wanted.entries, ...(wanted.missing ?? []), ...(wanted.ifNew ?? [])].map(
          ([key, value]) => `${JSON.stringify(key)}: ${written(value, layout, inner)}`,
        )
      : wanted.items.map((value) => written(value, layout, inner));
  const [open, close] = wanted.is === 'object' ? '{}' : '[]';
  if (parts.length === 0) return `${open}${close}`;
  const { eol } = layout;
  return `${open}${eol}${inner}${parts.join(`,${eol}${inner}`)}${eol}${margin}${close}`;
}
