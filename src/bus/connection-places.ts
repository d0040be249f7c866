// Limits how many connections are open at once, in total and for each source.
import { Counts } from '../process/counts.ts';

export interface PlaceLimits {
  ofSource: number;
  inAll: number;
}

export class ConnectionPlaces {
  readonly #max: PlaceLimits;
  readonly #ofSources = new Counts();
  #count = 0;

  constructor(max: PlaceLimits) {
    this.#max = max;
  }

  /** Returns a function that releases the place, once; undefined if no place is free. */
  take(source: string): (() => void) | undefined {
    if (this.#ofSources.of(source) >= this.#max.ofSource || this.#count >= this.#max.inAll) return undefined;
    this.#change(source, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#change(source, -1);
      isTaken = false;
    };
  }

  #change(source: string, by: 1 | -1): void {
    this.#count += by;
    this.#ofSources.add(source, by);
  }
}
