// Console lines that pass the filter, and the search hits in them. Lines already filtered are not read again.
import type { ConsoleLine } from '@gantry/ui/console-lines.tsx';

export interface LineFilter {
  /** The stream to show; everything if empty. */
  stream: string;
  search: string;
}

export class LineView {
  /** Grows in place, like the lines that it is made from. */
  shown: ConsoleLine[] = [];
  /** Positions in `shown` of the lines that contain the search. */
  matches: number[] = [];
  #filter: LineFilter = { stream: '', search: '' };
  #generation = -1;
  #looked = 0;

  /** `generation` changes when `lines` lost its first ones. */
  update(lines: readonly ConsoleLine[], generation: number, filter: LineFilter): void {
    const isSame =
      generation === this.#generation &&
      filter.stream === this.#filter.stream &&
      filter.search === this.#filter.search;
    if (!isSame) {
      this.shown = [];
      this.matches = [];
      this.#looked = 0;
      this.#filter = filter;
      this.#generation = generation;
    }
    const wanted = filter.search.toLowerCase();
    for (; this.#looked < lines.length; this.#looked += 1) {
      const line = lines[this.#looked];
      if (line === undefined || !isOf(line, filter.stream)) continue;
      if (wanted !== '' && line.text.toLowerCase().includes(wanted)) this.matches.push(this.shown.length);
      this.shown.push(line);
    }
  }
}

/** Remarks of the page itself are shown in every stream. */
const isOf = ({ stream }: ConsoleLine, wanted: string): boolean =>
  wanted === '' || stream === wanted || stream === 'note';
