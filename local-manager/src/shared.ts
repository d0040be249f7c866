// Shares one result among all callers that ask at about the same time.

export class Shared<Value> {
  readonly #freshMs: number;
  readonly #find: () => Promise<Value>;
  #answer: Promise<Value> | undefined;
  #freshUntil = 0;

  constructor(freshMs: number, find: () => Promise<Value>) {
    this.#freshMs = freshMs;
    this.#find = find;
  }

  /** The running or still fresh result, or a new one. Failures are shared only while they are running. */
  recent(): Promise<Value> {
    if (this.#answer !== undefined && Date.now() < this.#freshUntil) return this.#answer;
    this.#freshUntil = Number.POSITIVE_INFINITY;
    const answer = this.#find();
    this.#answer = answer;
    const settle = (freshMs: number) => {
      if (this.#answer === answer) this.#freshUntil = Date.now() + freshMs;
    };
    answer.then(
      () => settle(this.#freshMs),
      () => settle(0),
    );
    return answer;
  }

  /** Discards the result, so that the next call computes a new one. */
  forget(): void {
    this.#answer = undefined;
  }
}
