// Runs the tasks of one transfer in order.

/** Runs tasks one at a time in order. After a failure, every later task fails too. */
export class InOrder {
  #turn: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn;
    turn.catch(() => undefined); // this caller and every later one get the error
    return turn;
  }

  /** Resolves once all tasks have settled. */
  async settled(): Promise<void> {
    await this.#turn.catch(() => undefined);
  }
}
