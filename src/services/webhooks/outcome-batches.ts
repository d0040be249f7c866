// Records the attempts of one run in batches, while the next attempts are made.
import type { Attempt } from './attempts.ts';

/** Batch size; a batch is larger if attempts arrive faster than they are recorded. */
export const groupSize = 200;

/** Records the attempts; returns whether sending to the webhook should continue. */
type RecordAttempts = (attempts: readonly Attempt[]) => Promise<boolean>;

export class AttemptRecorder {
  readonly #record: RecordAttempts;
  #made: Attempt[] = [];
  #beingRecorded: readonly Attempt[] = [];
  #recording = Promise.resolve();
  #isWanted = true;
  #failure: { cause: unknown } | undefined;

  constructor(record: RecordAttempts) {
    this.#record = record;
  }

  /** Whether to send more: the receiver is healthy, and the webhook is enabled. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Deliveries that the database still shows as untried. */
  get unrecorded(): string[] {
    return [...this.#beingRecorded, ...this.#made].map(({ delivery }) => delivery.id);
  }

  add(attempt: Attempt): void {
    this.#made.push(attempt);
    this.#isWanted &&= !attempt.isUnavailable;
    if (this.#made.length >= groupSize) this.#begin();
  }

  /** Records the remaining attempts; throws if any could not be recorded. */
  async end(): Promise<void> {
    await this.#recording;
    this.#begin();
    await this.#recording;
    if (this.#failure !== undefined) throw new Error('attempts could not be recorded', this.#failure);
  }

  #begin(): void {
    if (this.#beingRecorded.length > 0 || this.#made.length === 0) return;
    this.#beingRecorded = this.#made;
    this.#made = [];
    this.#recording = this.#record(this.#beingRecorded)
      .then((isEnabled) => (this.#isWanted &&= isEnabled))
      .catch((cause: unknown) => {
        this.#isWanted = false;
        this.#failure ??= { cause };
      })
      .then(() => {
        this.#beingRecorded = [];
      });
  }
}
