// Reports the templates and the instances created from them: after every connect, and after each change.
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import { isAcknowledged } from '../bus/acknowledgement.ts';
import type { Messages } from '../messages.ts';

export interface ManagedInstanceReportOptions {
  boot: string;
  report: () => object;
  isOpen: () => boolean;
  request: (body: unknown, timeoutMs: number) => Promise<string>;
  messages: Messages;
  log: Logger;
}

const requestTimeoutMs = 5_000;
/** How long a command waits for the report, so that its result is sent after it. */
const maxWaitMs = 6_000;

export class ManagedInstanceReports {
  readonly #options: ManagedInstanceReportOptions;
  readonly #closed = new AbortController();
  #isDue = false;
  #sending: Promise<void> | null = null;
  #seq = 0;

  constructor(options: ManagedInstanceReportOptions) {
    this.#options = options;
  }

  /** Resolves once the platform has the report, or after 6 s; the report is retried in the background. */
  async send(): Promise<void> {
    this.#isDue = true;
    this.#sending ??= this.#send();
    await Promise.race([this.#sending, pause(maxWaitMs, this.#closed.signal)]);
  }

  close(): void {
    this.#closed.abort();
  }

  /** Sends nothing while disconnected; the next greeting triggers it again. */
  async #send(): Promise<void> {
    const backoff = new Backoff(500, 15_000);
    await Promise.resolve(); // the caller stores this promise first
    const { boot, report, isOpen, request, messages, log } = this.#options;
    while (this.#isDue && isOpen() && !this.#closed.signal.aborted) {
      this.#isDue = false;
      this.#seq += 1;
      const body = { v: 1, boot, seq: this.#seq, ...report() };
      const kind = 'managed-instances';
      if (await isAcknowledged({ kind, body, messages, log }, () => request(body, requestTimeoutMs)))
        continue;
      this.#isDue = true;
      await pause(backoff.nextMs(), this.#closed.signal);
    }
    this.#sending = null;
  }
}
