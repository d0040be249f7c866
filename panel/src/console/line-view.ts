// Console lines that pass the filter, and the search hits in them. Lines already filtered are not read again.
import type { ConsoleLine } from '@gantry/ui/console-line.ts';

export interface LineFilter {
  /** The stream to show; everything if empty. */
  stream: string;
  search: string;
}

export class LineView {
  /** Grows and is cut like the lines that it is made from. */
  shown: ConsoleLine[] = [];
  /** Positions in `shown` of the lines that contain the search. */
  matches: number[] = [];
  #filter: LineFilter = { stream: '', search: '' };
  #wanted = '';
  /** Lines that were lost before those that have been filtered, less those that were added there. */
  #dropped = 0;
  #filtered = 0;

  /** `dropped` counts the lines that `lines` lost at its start so far, less those that it got there. */
  update(lines: readonly ConsoleLine[], dropped: number, filter: LineFilter): void {
    if (filter.stream !== this.#filter.stream || filter.search !== this.#filter.search) {
      this.shown = [];
      this.matches = [];
      this.#filtered = 0;
      this.#filter = filter;
      this.#wanted = filter.search.toLowerCase();
    } else if (dropped > this.#dropped) this.#cut(lines, dropped - this.#dropped);
    else if (dropped < this.#dropped) this.#extend(lines.slice(0, this.#dropped - dropped));
    this.#dropped = dropped;
    for (; this.#filtered < lines.length; this.#filtered += 1) {
      const line = lines[this.#filtered];
      if (line === undefined || !isOf(line, filter.stream)) continue;
      if (this.#isMatch(line)) this.matches.push(this.shown.length);
      this.shown.push(line);
    }
  }

  #isMatch({ text }: ConsoleLine): boolean {
    return this.#wanted !== '' && text.toLowerCase().includes(this.#wanted);
  }

  #extend(added: readonly ConsoleLine[]): void {
    const before = added.filter((line) => isOf(line, this.#filter.stream));
    const hits = before.flatMap((line, position) => (this.#isMatch(line) ? [position] : []));
    this.shown = [...before, ...this.shown];
    this.matches = [...hits, ...this.matches.map((position) => position + before.length)];
    this.#filtered += added.length;
  }

  #cut(lines: readonly ConsoleLine[], count: number): void {
    this.#filtered = Math.max(this.#filtered - count, 0);
    // What is not filtered yet is not shown.
    const first = this.#filtered === 0 ? undefined : lines[0]?.key;
    const kept = first === undefined ? -1 : this.shown.findIndex(({ key }) => key >= first);
    const cut = kept === -1 ? this.shown.length : kept;
    this.shown.splice(0, cut);
    const hit = this.matches.findIndex((position) => position >= cut);
    this.matches = hit === -1 ? [] : this.matches.slice(hit).map((position) => position - cut);
  }
}

/** Remarks of the page itself are shown in every stream. */
export const isOf = ({ stream }: ConsoleLine, wanted: string): boolean =>
  wanted === '' || stream === wanted || stream === 'note';
