// Which open sessions of a process may still be used: after a fault of one, none that was opened before it.

/** Shared by all pools of a process: what one session shows of the server holds for the others. */
export class SessionGenerations {
  #current = 0;

  /** The generation of sessions that are opened now. */
  get current(): number {
    return this.#current;
  }

  /** Ends the use of the sessions of that generation and of those before. */
  outdate(generation: number): void {
    this.#current = Math.max(this.#current, generation + 1);
  }
}
