// Limits how many lines and bytes of console output per second the agent processes for one instance.

export class FlowBudget {
  readonly #linesPerSecond: number;
  readonly #bytesPerSecond: number;
  #lines: number;
  #bytes: number;
  #filledAtMs = performance.now();

  constructor(linesPerSecond = 5_000, bytesPerSecond = 1024 * 1024) {
    this.#linesPerSecond = linesPerSecond;
    this.#bytesPerSecond = bytesPerSecond;
    this.#lines = linesPerSecond;
    this.#bytes = bytesPerSecond;
  }

  /** May overdraw, because a chunk's lines are known only after it was read; waiting pays it back. */
  take(lines: number, bytes: number): void {
    this.#fill();
    this.#lines -= lines;
    this.#bytes -= bytes;
  }

  /** Returns how long to wait until the budget is positive; 0 when it is positive now. */
  waitMs(): number {
    this.#fill();
    if (this.#lines > 0 && this.#bytes > 0) return 0;
    const missingSeconds = Math.max(-this.#lines / this.#linesPerSecond, -this.#bytes / this.#bytesPerSecond);
    return Math.ceil(missingSeconds * 1000) + 1;
  }

  #fill(): void {
    const nowMs = performance.now();
    const seconds = (nowMs - this.#filledAtMs) / 1000;
    this.#filledAtMs = nowMs;
    this.#lines = Math.min(this.#linesPerSecond, this.#lines + seconds * this.#linesPerSecond);
    this.#bytes = Math.min(this.#bytesPerSecond, this.#bytes + seconds * this.#bytesPerSecond);
  }
}
