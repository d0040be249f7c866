// A budget that all callers of this process share, with a maximum share per holder.

export interface BudgetOptions {
  max: number;
  /** Maximum for one holder. */
  maxShare: number;
}

export class SharedBudget {
  readonly #options: BudgetOptions;
  readonly #shares = new Map<string, number>();
  #used = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Takes the amount and returns true if both the total and the holder's share have room. */
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
