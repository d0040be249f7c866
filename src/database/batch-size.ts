// How much one transaction takes from a queue: less after a statement that ran out of time, more again after success.
import { causesOf } from './faults.ts';

/** PostgreSQL ended the statement, or the client did not wait any longer. */
export function isTimeout(thrown: unknown): boolean {
  return causesOf(thrown).some(({ code, message }) => code === '57014' || message.includes('read timeout'));
}

export class BatchSize {
  readonly #max: number;
  #size: number;

  constructor(max: number) {
    this.#max = max;
    this.#size = max;
  }

  get size(): number {
    return this.#size;
  }

  /** A batch of this size was taken in good time. */
  grow(): void {
    this.#size = Math.min(this.#max, this.#size * 2);
  }

  /** Whether a smaller batch can be tried. */
  shrink(): boolean {
    const canShrink = this.#size > 1;
    this.#size = Math.max(1, Math.floor(this.#size / 4));
    return canShrink;
  }

  /** Takes batches until one fits into the time there is; any other failure is thrown at once. */
  async take<T>(work: (size: number) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await work(this.#size);
        this.grow();
        return result;
      } catch (error) {
        if (!isTimeout(error) || !this.shrink()) throw error;
      }
    }
  }
}
