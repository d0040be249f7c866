// Text edits by offset: applies them, and shows them as a diff.

export interface Edit {
  offset: number;
  length: number;
  text: string;
}

export function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const { offset, length, text: replacement } of inOrder(edits)) {
    parts.push(text.slice(position, offset), replacement);
    position = offset + length;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

/** Of two edits at one offset, the removal comes first. */
const inOrder = (edits: readonly Edit[]) =>
  edits.toSorted((one, other) => one.offset - other.offset || other.length - one.length);

/** Context lines around a change. */
const context = 3;

/** A change of lines: the lines from `from` on that are removed, and those that replace them. */
interface Change {
  from: number;
  removed: string[];
  added: string[];
}

/** A unified diff made from the edits alone, so its cost does not depend on the length of the text. */
export function diffOf(file: string, text: string, edits: readonly Edit[]): string {
  const lines = new Lines(text);
  const changes = changesOf(lines, edits);
  if (changes.length === 0) return '';
  const hunks: string[] = [];
  let shift = 0;
  for (const group of closeOnes(changes)) {
    const { hunk, grown } = hunkOf(lines, group, shift);
    hunks.push(hunk);
    shift += grown;
  }
  return `--- ${file}\tserver\n+++ ${file}\tnew\n${hunks.join('')}`;
}

class Lines {
  readonly text: string;
  readonly #starts = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    if (this.#starts.at(-1) === text.length) this.#starts.pop();
  }

  get count(): number {
    return this.#starts.length;
  }

  startOf(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  /** The line that contains the offset. */
  at(offset: number): number {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
  }

  between(from: number, to: number): string[] {
    return splitLines(this.text.slice(this.startOf(from), this.startOf(to)));
  }
}

const splitLines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function changesOf(lines: Lines, edits: readonly Edit[]): Change[] {
  const blocks: { from: number; to: number; edits: Edit[] }[] = [];
  for (const edit of inOrder(edits)) {
    const [from, to] = [lines.at(edit.offset), lines.at(edit.offset + edit.length) + 1];
    const last = blocks.at(-1);
    if (last === undefined || from >= last.to) blocks.push({ from, to, edits: [edit] });
    else {
      last.to = Math.max(last.to, to);
      last.edits.push(edit);
    }
  }
  return blocks.flatMap(({ from, to, edits: own }) => {
    const start = lines.startOf(from);
    const before = lines.text.slice(start, lines.startOf(to));
    const shifted = own.map((edit) => ({ ...edit, offset: edit.offset - start }));
    return trimmed(from, splitLines(before), splitLines(applied(before, shifted)));
  });
}

/** Removes equal lines at the beginning and at the end. */
function trimmed(from: number, removed: string[], added: string[]): Change[] {
  const shorter = Math.min(removed.length, added.length);
  let head = 0;
  while (head < shorter && removed[head] === added[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  const change = {
    from: from + head,
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
  };
  return change.removed.length + change.added.length === 0 ? [] : [change];
}

const endOf = ({ from, removed }: Change) => from + removed.length;

function closeOnes(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const before = groups.at(-1)?.at(-1);
    if (before !== undefined && change.from - endOf(before) <= 2 * context) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(lines: Lines, changes: readonly Change[], shift: number): { hunk: string; grown: number } {
  const first = changes[0] as Change;
  const from = Math.max(first.from - context, 0);
  const to = Math.min(endOf(changes.at(-1) as Change) + context, lines.count);
  const shown: string[] = [];
  let position = from;
  for (const change of changes) {
    shown.push(...lines.between(position, change.from).map((line) => ` ${line}`));
    shown.push(...change.removed.map((line) => `-${line}`), ...change.added.map((line) => `+${line}`));
    position = endOf(change);
  }
  shown.push(...lines.between(position, to).map((line) => ` ${line}`));
  const grown = changes.reduce((sum, { removed, added }) => sum + added.length - removed.length, 0);
  const count = to - from;
  const head = `@@ -${rangeOf(from, count)} +${rangeOf(from + shift, count + grown)} @@\n`;
  return { hunk: head + shown.map(ended).join(''), grown };
}

/** By the rules of patch(1): an empty range begins at the line before it. */
const rangeOf = (from: number, count: number) => `${count === 0 ? from : from + 1},${count}`;

const ended = (line: string) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`);
