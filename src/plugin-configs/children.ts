// Inserts and removes entries of an object or a list, and keeps comments with the entries that they belong to.
import type { Node } from 'jsonc-parser';
import type { Edit } from './edits.ts';
import { endOfComment } from './json-text.ts';

/** How the entries of an object or a list are laid out. */
export interface EntryLayout {
  /** Whether all of it is on one line. */
  isInline: boolean;
  eol: string;
  /** Indentation of an entry, and of the closing bracket. */
  margin: string;
  outerMargin: string;
}

/** The wanted content of an object or a list: existing entries, in their present order, and texts of new ones. */
export type EntrySequence = readonly (Node | string)[];

/**
 * An entry owns the comments on the lines before it and the one at the end of its line; they are removed with it. Edits
 * change nothing but the commas of entries that stay.
 */
export function entryEdits(
  text: string,
  node: Node,
  present: readonly Node[],
  sequence: EntrySequence,
  layout: EntryLayout,
): Edit[] {
  if (present.length + sequence.length === 0) return [];
  const open = node.offset + 1;
  const close = node.offset + node.length - 1;
  return sequence.some((part) => typeof part !== 'string')
    ? new EntryEdits(text, open, close, present, layout).edits(sequence)
    : replacedEntries(text, open, close, present, sequence as readonly string[], layout);
}

/** Used if no entry stays, but only comments that belong to none. */
function replacedEntries(
  text: string,
  open: number,
  close: number,
  present: readonly Node[],
  added: readonly string[],
  { isInline, eol, margin, outerMargin }: EntryLayout,
): Edit[] {
  const last = present.at(-1);
  const head = endOfLine(text, open) ?? open;
  const until = last === undefined ? head : tailOf(text, last, close).end;
  const gap = isInline ? ' ' : `${eol}${margin}`;
  const body = added.length === 0 ? '' : `${gap}${added.join(`,${gap}`)}`;
  const end = isInline ? ' ' : `${eol}${outerMargin}`;
  const isBare = (text.slice(open, head) + text.slice(until, close)).trim() === '';
  if (isBare) return [{ offset: open, length: close - open, text: body === '' ? '' : `${body}${end}` }];
  const isEnded = /^[ \t]*\r?\n/.test(text.slice(until, close));
  return [{ offset: head, length: until - head, text: isEnded || body === '' ? body : `${body}${end}` }];
}

class EntryEdits {
  readonly #text: string;
  readonly #close: number;
  readonly #head: number;
  readonly #present: readonly Node[];
  readonly #layout: EntryLayout;
  readonly #edits: Edit[] = [];
  /** Index of the first present entry that is not settled. */
  #next = 0;
  /** Texts to insert before that entry. */
  #pending: string[] = [];

  constructor(text: string, open: number, close: number, present: readonly Node[], layout: EntryLayout) {
    this.#text = text;
    this.#close = close;
    this.#head = endOfLine(text, open) ?? open;
    this.#present = present;
    this.#layout = layout;
  }

  edits(sequence: EntrySequence): Edit[] {
    const last = this.#present.at(-1);
    // If the last entry has a trailing comma, the new last entry gets one, too.
    const endsWithComma = last !== undefined && tailOf(this.#text, last, this.#close).comma !== null;
    for (const [index, part] of sequence.entries()) {
      const hasComma = endsWithComma || index < sequence.length - 1;
      if (typeof part === 'string') this.#pending.push(hasComma ? `${part},` : part);
      else this.#keep(part, hasComma);
    }
    this.#settle(this.#present.length);
    return this.#edits;
  }

  #keep(node: Node, hasComma: boolean): void {
    const index = this.#present.indexOf(node, this.#next);
    this.#settle(index);
    const { comma } = tailOf(this.#text, node, this.#close);
    if (hasComma && comma === null) this.#edits.push({ offset: endOf(node), length: 0, text: ',' });
    if (!hasComma && comma !== null) this.#edits.push({ offset: comma, length: 1, text: '' });
    this.#next = index + 1;
  }

  /** Removes the entries left before that one, and inserts the pending texts in their place. */
  #settle(index: number): void {
    const before = this.#present[this.#next - 1];
    const [goes, stays] = [this.#present[index - 1], this.#present[index]];
    const isCut = index > this.#next && goes !== undefined;
    const { isInline, eol, margin } = this.#layout;
    if (!isCut && this.#pending.length === 0) return;
    if (before === undefined && isInline && stays !== undefined) {
      const first = this.#present[0] ?? stays;
      const text = this.#pending.map((part) => `${part} `).join('');
      this.#edits.push({ offset: first.offset, length: stays.offset - first.offset, text });
    } else {
      const tail = before && tailOf(this.#text, before, this.#close);
      const offset = tail?.end ?? this.#head;
      const end = isCut ? tailOf(this.#text, goes, this.#close).end : offset;
      const gap = isInline && tail?.endsLine !== true ? ' ' : `${eol}${margin}`;
      const text = this.#pending.map((part) => `${gap}${part}`).join('');
      this.#edits.push({ offset, length: end - offset, text });
    }
    this.#pending = [];
  }
}

interface Tail {
  /** Offset of the comma after the entry, or null. */
  comma: number | null;
  /** Offset where the entry's text ends, including its comma and comment. */
  end: number;
  /** Whether the line ends there, too. */
  endsLine: boolean;
}

/** The text after an entry that belongs to it: its comma, and the comment that ends its line. */
function tailOf(text: string, entry: Node, close: number): Tail {
  const from = endOf(entry);
  const comma = commaAfter(text, from, close);
  const end = endOfLine(text, comma === null ? from : comma + 1);
  return { comma, end: end ?? (comma === null ? from : comma + 1), endsLine: end !== null };
}

/** End of the comments that nothing else follows on their line; `from` itself if there are none. */
function endOfLine(text: string, from: number): number | null {
  let end = from;
  let at = from;
  while (at < text.length) {
    const sign = text[at];
    if (sign === '\n' || sign === '\r') return end;
    if (sign === ' ' || sign === '\t') at += 1;
    else {
      const comment = endOfComment(text, at);
      if (comment === null) return null;
      end = comment;
      at = comment;
    }
  }
  return null;
}

const endOf = ({ offset, length }: Node) => offset + length;

/** Offset of the comma after an entry, past white space and comments. */
function commaAfter(text: string, from: number, to: number): number | null {
  let at = from;
  while (at < to && text[at] !== ',') at = endOfComment(text, at) ?? at + 1;
  return at < to ? at : null;
}
