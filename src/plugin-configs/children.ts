// Puts entries into an object or a list, and takes others out, while comments stay with the entries that they stand at.
import type { Node } from 'jsonc-parser';
import type { Edit } from './edits.ts';
import { endOfComment } from './json-text.ts';

/** How entries of an object or a list stand. */
export interface EntryLayout {
  /** Whether all of it stands on one line. */
  isInline: boolean;
  eol: string;
  /** What stands before the line of an entry, and before that of the closing bracket. */
  margin: string;
  outerMargin: string;
}

/** What an object or a list is to have: entries that it has already, in the order that they are in, and texts of new ones. */
export type EntrySequence = readonly (Node | string)[];

/**
 * An entry's comments are those on the lines before it and the one that ends its line: they go when it goes. The edits
 * say nothing of the entries that stay but their commas.
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

/** Where nothing stays but comments that are no entry's. */
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
  /** Of the entries that are present, the first that is not settled. */
  #next = 0;
  /** Texts that come before it. */
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
    // Whoever ends with a comma goes on to.
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

  /** Takes out what is left before that entry, and puts what is pending in its place. */
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
  /** Where the comma behind an entry stands. */
  comma: number | null;
  /** Where what belongs to the entry ends. */
  end: number;
  /** Whether its line ends there too. */
  endsLine: boolean;
}

/** What belongs to an entry behind it: its comma, and the comment that ends its line. */
function tailOf(text: string, entry: Node, close: number): Tail {
  const from = endOf(entry);
  const comma = commaAfter(text, from, close);
  const end = endOfLine(text, comma === null ? from : comma + 1);
  return { comma, end: end ?? (comma === null ? from : comma + 1), endsLine: end !== null };
}

/** Where the comments end that nothing else follows on their line; the place itself where there are none. */
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

/** Where a comma stands behind an entry, past white space and comments. */
function commaAfter(text: string, from: number, to: number): number | null {
  let at = from;
  while (at < to && text[at] !== ',') at = endOfComment(text, at) ?? at + 1;
  return at < to ? at : null;
}
