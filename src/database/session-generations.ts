// Tracks which open sessions of a process are usable: a fault outdates every session that was opened before it.

/** Shared by all pools of a process: a fault that one session finds in the server holds for the others. */
export class SessionGenerations {
  #current = 0;

  /** The generation of newly opened sessions. */
  get current(): number {
    return this.#current;
  }

  /** Invalidates the sessions of that generation and of all earlier ones. */
  outdate(generation: number): void {
    this.#current = Math.max(this.#current, generation + 1);
  }
}
