// Reads JSON as plugins write it and people edit it (comments, trailing commas, byte order mark), numbers unchanged.
import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';

const byteOrderMark = '\uFEFF';

/** A text with the tree of its values; node offsets start after the byte order mark. */
export interface JsonText {
  readonly mark: string;
  readonly text: string;
  readonly root: Node | undefined;
}

/** Why a text is not JSON, in words for people. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
}

/** Maximum nesting; no plugin nests deeper. */
const deepest = 100;
/** Maximum number of values and keys: a loot table of 16 MB has as many. Each takes about 200 bytes of memory. */
const maxParts = 1_000_000;
/** Maximum blanks in a row, more than plugins write: the scanner buffers them until they end. */
const maxBlanks = 100_000;

const wordsForNothing = 'a value is missing';

const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'there is a word that is neither in quotes nor true, false or null',
  InvalidNumberFormat: 'a number is written as JSON has none',
  PropertyNameExpected: 'a key in double quotes is missing',
  ValueExpected: wordsForNothing,
  ColonExpected: 'a colon is missing after a key',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'the } of an object is missing',
  CloseBracketExpected: 'the ] of a list is missing',
  EndOfFileExpected: 'something follows the end of the document',
  InvalidCommentToken: 'there is a comment where none may be',
  UnexpectedEndOfComment: 'a comment is not closed with */',
  UnexpectedEndOfString: 'a text is not closed with a quote on its line',
  UnexpectedEndOfNumber: 'a number breaks off',
  InvalidUnicode: 'there is a \\u without four hexadecimal digits',
  InvalidEscapeCharacter: 'a text has a backslash before a character that takes none',
  InvalidCharacter: 'a text has a control character in it',
};

const wordsOf = ({ error }: ParseError) => words[printParseErrorCode(error)] ?? 'it is not JSON';

/** A text of only blanks and comments has no root, like a missing file. */
export function readJson(whole: string): JsonText {
  const mark = whole.startsWith(byteOrderMark) ? byteOrderMark : '';
  const text = whole.slice(mark.length);
  if (text.trim() === '') return { mark, text, root: undefined };
  refuseBeyondBounds(text);
  const faults: ParseError[] = [];
  const root = parseTree(text, faults, { allowTrailingComma: true, disallowComments: false });
  const [fault] = faults;
  const isBlank = root === undefined && fault?.offset === text.length && wordsOf(fault) === wordsForNothing;
  if (fault !== undefined && !isBlank) {
    const line = text.slice(0, fault.offset).split('\n').length;
    throw new JsonFault(`line ${line}: ${wordsOf(fault)}`);
  }
  return { mark, text, root };
}

export const textOf = ({ text }: JsonText, { offset, length }: Node) => text.slice(offset, offset + length);

/** The last one of duplicate keys, which is the one that the plugins read. */
export function propertyOf(node: Node | undefined, key: string): Node | undefined {
  return node?.type === 'object' ? propertiesByKey(node).get(key) : undefined;
}

const indexes = new WeakMap<Node, ReadonlyMap<string, Node>>();

export function propertiesByKey(node: Node): ReadonlyMap<string, Node> {
  const known = indexes.get(node);
  if (known !== undefined) return known;
  const index = new Map(propertiesOf(node).map((property) => [keyOf(property), property]));
  indexes.set(node, index);
  return index;
}

export const valueOf = (property: Node | undefined): Node | undefined => property?.children?.[1];

export const keyOf = (property: Node): string => String(property.children?.[0]?.value);

export const propertiesOf = (node: Node): Node[] => (node.type === 'object' ? (node.children ?? []) : []);

export const itemsOf = (node: Node): Node[] => (node.type === 'array' ? (node.children ?? []) : []);

/** The JSON pointer of a node in its document. */
export function pointerOf(node: Node): string {
  const { parent } = node;
  if (parent === undefined) return '';
  if (parent.type === 'property') return `${pointerOf(parent)}/${escaped(keyOf(parent))}`;
  return parent.type === 'array'
    ? `${pointerOf(parent)}/${itemsOf(parent).indexOf(node)}`
    : pointerOf(parent);
}

/** A key as a step of a JSON pointer. */
export const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys of a JSON pointer. */
export const stepsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Checked before parsing, and much faster than parsing. */
function refuseBeyondBounds(text: string): void {
  let depth = 0;
  let parts = 0;
  let blanks = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    blanks = sign === ' ' || sign === '\t' ? blanks + 1 : 0;
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '/') at = (endOfComment(text, at) ?? at + 1) - 1;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ',' || sign === ':') parts += 1;
    if (depth > deepest) throw new JsonFault(`it is nested deeper than ${deepest} levels`);
    if (blanks > maxBlanks) throw new JsonFault(`it has more than ${maxBlanks} blanks in a row`);
    if (parts > maxParts) throw new JsonFault(`it has more than ${maxParts} values and keys`);
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** The end of the comment that begins there, without the line break; null if none begins there. */
export function endOfComment(text: string, start: number): number | null {
  if (text.startsWith('/*', start)) {
    const found = text.indexOf('*/', start + 2);
    return found === -1 ? text.length : found + 2;
  }
  if (!text.startsWith('//', start)) return null;
  const length = text.slice(start).search(/[\r\n]/);
  return length === -1 ? text.length : start + length;
}

/** Whether an object has one of the keys. */
export const hasKey =
  (...keys: string[]) =>
  (node: Node | undefined): boolean =>
    keys.some((key) => propertyOf(node, key) !== undefined);

/** A place for people: `kits › items[2]` for `/kits/items/2`. Empty for the whole document. */
export const placeOf = (pointer: string): string =>
  stepsOf(pointer).reduce(
    (place, step) =>
      place !== '' && /^\d{1,6}$/.test(step)
        ? `${place}[${step}]`
        : place === ''
          ? step
          : `${place} › ${step}`,
    '',
  );
