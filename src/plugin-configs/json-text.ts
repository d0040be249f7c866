// Reads JSON as plugins write it and people edit it (comments, trailing commas, a byte order mark), with every number as it stands.
import { parseTree, type Node, type ParseError, printParseErrorCode } from 'jsonc-parser';

const byteOrderMark = '\uFEFF';

/** A text with the tree of its values; offsets of nodes count from after the byte order mark. */
export interface JsonText {
  readonly mark: string;
  readonly text: string;
  readonly root: Node | undefined;
}

/** Why a text is no JSON, in words for people. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
}

/** An empty text has no root, as a file that is not there. */
export function readJson(whole: string): JsonText {
  const mark = whole.startsWith(byteOrderMark) ? byteOrderMark : '';
  const text = whole.slice(mark.length);
  if (text.trim() === '') return { mark, text, root: undefined };
  const faults: ParseError[] = [];
  const root = treeOf(text, faults);
  const [fault] = faults;
  if (fault !== undefined) {
    const line = text.slice(0, fault.offset).split('\n').length;
    throw new JsonFault(`line ${line}: ${printParseErrorCode(fault.error)}`);
  }
  return { mark, text, root };
}

export const textOf = ({ text }: JsonText, { offset, length }: Node) => text.slice(offset, offset + length);

/** The last one, where a key stands twice: so do the plugins read it. */
export function propertyOf(node: Node | undefined, key: string): Node | undefined {
  return node?.type === 'object' ? node.children?.findLast((child) => keyOf(child) === key) : undefined;
}

export const valueOf = (property: Node | undefined): Node | undefined => property?.children?.[1];

export const keyOf = (property: Node): string => String(property.children?.[0]?.value);

export const propertiesOf = (node: Node): Node[] => (node.type === 'object' ? (node.children ?? []) : []);

export const itemsOf = (node: Node): Node[] => (node.type === 'array' ? (node.children ?? []) : []);

function treeOf(text: string, faults: ParseError[]): Node | undefined {
  try {
    return parseTree(text, faults, { allowTrailingComma: true, disallowComments: false });
  } catch (error) {
    if (error instanceof RangeError) throw new JsonFault('it is nested too deeply');
    throw error;
  }
}
