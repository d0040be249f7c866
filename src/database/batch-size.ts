// Adapts the batch size of a queue: smaller after a statement that timed out, larger again after success.
import { causesOf } from './faults.ts';

/** Whether PostgreSQL cancelled the statement, or the client stopped waiting. */
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

  /** Call it after a batch of the current size has succeeded. */
  grow(): void {
    this.#size = Math.min(this.#max, this.#size * 2);
  }

  /** Halves the size; returns false if it was already one. */
  shrink(): boolean {
    const canShrink = this.#size > 1;
    this.#size = Math.max(1, Math.floor(this.#size / 4));
    return canShrink;
  }

  /** Runs batches of decreasing size until one does not time out; other failures are thrown at once. */
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
