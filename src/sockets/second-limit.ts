// Limits how often a client may do one thing in a second.
/** Counts attempts in windows of one second. */
export class SecondLimit {
  readonly #limit: number;
  #since = 0;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(): boolean {
    const now = Date.now();
    if (now - this.#since >= 1_000) [this.#since, this.#count] = [now, 0];
    this.#count += 1;
    return this.#count <= this.#limit;
  }
}
