// Delays an interrupted wipe after an agent restart, so that the platform can cancel it first.
import { aborted, pause } from '../backoff.ts';

/** The platform sends queued commands right after its greeting reply, so 4 s are enough to receive a cancellation. */
const afterGreetingMs = 4_000;
/** A platform that is offline delays a wipe by at most 15 s. */
const maxMs = 15_000;

export class Hearing {
  readonly #over = new AbortController();

  begin(): void {
    this.#endAfter(maxMs);
  }

  /** Called when the platform has replied to the greeting. */
  greeted(): void {
    this.#endAfter(afterGreetingMs);
  }

  /** Resolves once the platform has had its time to cancel. */
  get over(): Promise<void> {
    return aborted(this.#over.signal);
  }

  close(): void {
    this.#over.abort();
  }

  #endAfter(ms: number): void {
    void pause(ms, this.#over.signal).then(() => this.#over.abort());
  }
}
