// Creates the log of the agent, redacts its secrets and limits repeated messages.
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** Field names that are redacted, in case a secret is logged by mistake. */
const secretFields = ['token', 'companion_token', 'authorization', 'jwt', 'seed', 'password', 'secret'];
const maxDepth = 3;

export function createAgentLog(destination: DestinationStream): Logger {
  const depths = Array.from({ length: maxDepth }, (_, depth) => '*.'.repeat(depth));
  return pino(
    {
      base: { service: 'gantry-agent' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: depths.flatMap((path) => secretFields.map((field) => `${path}${field}`)),
        censor: '[redacted]',
      },
    },
    destination,
  );
}

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
