// Limits how many connections are open at once, in total and for each source.
export interface PlaceLimits {
  ofSource: number;
  inAll: number;
}

export class Places {
  readonly #max: PlaceLimits;
  readonly #countBySource = new Map<string, number>();
  #count = 0;

  constructor(max: PlaceLimits) {
    this.#max = max;
  }

  /** Returns a function that releases the place, once; undefined if no place is free. */
  take(source: string): (() => void) | undefined {
    const ofSource = this.#countBySource.get(source) ?? 0;
    if (ofSource >= this.#max.ofSource || this.#count >= this.#max.inAll) return undefined;
    this.#change(source, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#change(source, -1);
      isTaken = false;
    };
  }

  #change(source: string, by: 1 | -1): void {
    const count = (this.#countBySource.get(source) ?? 0) + by;
    this.#count += by;
    if (count === 0) this.#countBySource.delete(source);
    else this.#countBySource.set(source, count);
  }
}
