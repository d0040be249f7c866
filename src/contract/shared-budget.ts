// An amount of something that all callers of this process share, of which none gets more than a part.

export interface BudgetOptions {
  max: number;
  /** Of one holder. */
  maxShare: number;
}

export class SharedBudget {
  readonly #options: BudgetOptions;
  readonly #shares = new Map<string, number>();
  #used = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Returns whether there was room, for everybody together and for the holder. */
  take(holder: string, amount: number): boolean {
    const share = (this.#shares.get(holder) ?? 0) + amount;
    if (share > this.#options.maxShare || this.#used + amount > this.#options.max) return false;
    this.#shares.set(holder, share);
    this.#used += amount;
    return true;
  }

  release(holder: string, amount: number): void {
    const share = (this.#shares.get(holder) ?? 0) - amount;
    if (share > 0) this.#shares.set(holder, share);
    else this.#shares.delete(holder);
    this.#used -= amount;
  }
}
