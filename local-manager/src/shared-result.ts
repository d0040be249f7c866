// Shares one result among all callers that ask at about the same time.

export class Shared<Value> {
  readonly #freshMs: number;
  readonly #find: () => Promise<Value>;
  #result: Promise<Value> | undefined;
  #freshUntil = 0;

  constructor(freshMs: number, find: () => Promise<Value>) {
    this.#freshMs = freshMs;
    this.#find = find;
  }

  /** The running or still fresh result, or a new one. Failures are shared only while they are running. */
  recent(): Promise<Value> {
    if (this.#result !== undefined && Date.now() < this.#freshUntil) return this.#result;
    this.#freshUntil = Number.POSITIVE_INFINITY;
    const result = this.#find();
    this.#result = result;
    const settle = (freshMs: number) => {
      if (this.#result === result) this.#freshUntil = Date.now() + freshMs;
    };
    result.then(
      () => settle(this.#freshMs),
      () => settle(0),
    );
    return result;
  }

  /** As `recent`; undefined if there is no result within that time, while the search continues. */
  async recentWithin(ms: number): Promise<Value | undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
    try {
      return await Promise.race([this.recent(), promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Discards the result, so that the next call computes a new one. */
  forget(): void {
    this.#result = undefined;
  }
}
