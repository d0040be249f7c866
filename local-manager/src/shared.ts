// Lets all who ask for the same thing at about the same time share one answer.

export class Shared<Value> {
  readonly #freshMs: number;
  readonly #find: () => Promise<Value>;
  #answer: Promise<Value> | undefined;
  #freshUntil = 0;

  constructor(freshMs: number, find: () => Promise<Value>) {
    this.#freshMs = freshMs;
    this.#find = find;
  }

  /** The answer that is under way or still fresh, or another one. Failures are shared while they are under way. */
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

  /** What is found out from now on counts. */
  forget(): void {
    this.#answer = undefined;
  }
}
