// Reports the templates of the file and the instances made from them: after every connect, and after each change.
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import { isTaken } from '../bus/acknowledgement.ts';
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
/** How long a command waits, so that its result comes after the report. */
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

  /** Resolves once the platform knows, or when that takes long; it will be told in any case. */
  async tell(): Promise<void> {
    this.#isDue = true;
    this.#sending ??= this.#send();
    await Promise.race([this.#sending, pause(maxWaitMs, this.#closed.signal)]);
  }

  close(): void {
    this.#closed.abort();
  }

  /** While there is no connection nothing is sent; the next greeting has it sent. */
  async #send(): Promise<void> {
    const backoff = new Backoff(500, 15_000);
    await Promise.resolve(); // what follows ends after it was stored as what is being sent
    const { boot, report, isOpen, request, messages, log } = this.#options;
    while (this.#isDue && isOpen() && !this.#closed.signal.aborted) {
      this.#isDue = false;
      this.#seq += 1;
      const body = { v: 1, boot, seq: this.#seq, ...report() };
      const kind = 'managed-instances';
      if (await isTaken({ kind, body, messages, log }, () => request(body, requestTimeoutMs))) continue;
      this.#isDue = true;
      await pause(backoff.nextMs(), this.#closed.signal);
    }
    this.#sending = null;
  }
}
