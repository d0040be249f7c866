// Gives the platform the time to take back what was asked for, before an agent that was away goes on with it.
import { aborted, pause } from '../backoff.ts';

/** The platform sends what waits for an agent right after the greeting. */
const afterGreetingMs = 4_000;
/** A platform that is away keeps no wipe from its time. */
const maxMs = 15_000;

export class Hearing {
  readonly #over = new AbortController();

  begin(): void {
    this.#endAfter(maxMs);
  }

  /** The platform has answered the greeting. */
  greeted(): void {
    this.#endAfter(afterGreetingMs);
  }

  /** Resolves once it has had its time. */
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
