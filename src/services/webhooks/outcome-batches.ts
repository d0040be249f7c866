// Records the attempts of one run in batches, while the next attempts are made.
import type { Attempt } from './attempts.ts';

/** Batch size; a batch is larger if attempts arrive faster than they are recorded. */
export const groupSize = 200;

/** Records the attempts; returns whether the webhook is still to be sent to. */
type Note = (attempts: readonly Attempt[]) => Promise<boolean>;

export class Notes {
  readonly #note: Note;
  #made: Attempt[] = [];
  #beingNoted: readonly Attempt[] = [];
  #noting = Promise.resolve();
  #isWanted = true;
  #failure: { cause: unknown } | undefined;

  constructor(note: Note) {
    this.#note = note;
  }

  /** Whether to send more: the receiver is healthy, and the webhook is enabled. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Deliveries that the database still shows as untried. */
  get unnoted(): string[] {
    return [...this.#beingNoted, ...this.#made].map(({ delivery }) => delivery.id);
  }

  add(attempt: Attempt): void {
    this.#made.push(attempt);
    this.#isWanted &&= !attempt.isUnwell;
    if (this.#made.length >= groupSize) this.#begin();
  }

  /** Records the remaining attempts; throws if any could not be recorded. */
  async end(): Promise<void> {
    await this.#noting;
    this.#begin();
    await this.#noting;
    if (this.#failure !== undefined) throw new Error('attempts could not be noted', this.#failure);
  }

  #begin(): void {
    if (this.#beingNoted.length > 0 || this.#made.length === 0) return;
    this.#beingNoted = this.#made;
    this.#made = [];
    this.#noting = this.#note(this.#beingNoted)
      .then((isEnabled) => (this.#isWanted &&= isEnabled))
      .catch((cause: unknown) => {
        this.#isWanted = false;
        this.#failure ??= { cause };
      })
      .then(() => {
        this.#beingNoted = [];
      });
  }
}
