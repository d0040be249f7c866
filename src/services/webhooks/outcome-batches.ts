// Notes what came of the attempts of one turn: many together, while the next ones are made.
import type { Attempt } from './attempts.ts';

/** That many are noted together, or more where they come faster than they are noted. */
export const groupSize = 200;

/** Writes them down; answers whether the webhook is still to be sent to. */
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

  /** Whether more is to be sent: the receiver is well, and the webhook is enabled. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Deliveries that look as if nobody had tried them yet. */
  get unnoted(): string[] {
    return [...this.#beingNoted, ...this.#made].map(({ delivery }) => delivery.id);
  }

  add(attempt: Attempt): void {
    this.#made.push(attempt);
    this.#isWanted &&= !attempt.isUnwell;
    if (this.#made.length >= groupSize) this.#begin();
  }

  /** Notes the rest; throws where any of them could not be noted. */
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
