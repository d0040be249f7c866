// Logs repeated messages at once when they change, then every 15 minutes with the number of repetitions.

const reminderMs = 15 * 60_000;

interface Entry {
  text: string;
  loggedAtMs: number;
  repetitions: number;
}

export class ThrottledLog {
  readonly #entries = new Map<string, Entry>();

  /** Calls `write` if the topic's text is new or was last logged at least 15 minutes ago. */
  report(
    topic: string,
    text: string,
    write: (fields: { repetitions?: number }) => void,
    nowMs = performance.now(),
  ): void {
    const entry = this.#entries.get(topic);
    if (entry?.text === text && nowMs - entry.loggedAtMs < reminderMs) {
      entry.repetitions += 1;
      return;
    }
    this.#entries.set(topic, { text, loggedAtMs: nowMs, repetitions: 0 });
    write(entry?.text === text ? { repetitions: entry.repetitions + 1 } : {});
  }

  /** Forgets the topic, so that its next text counts as new. Returns whether it was known. */
  settle(topic: string): boolean {
    return this.#entries.delete(topic);
  }
}
