// Reports the backups of each instance to the platform: after every connect, and after each change.
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import { isAcknowledged } from '../bus/acknowledgement.ts';
import type { Messages } from '../messages.ts';
import type { BackupRecord } from './instance-backups.ts';

export interface BackupReportOptions {
  boot: string;
  instances: () => readonly string[];
  list: (instance: string) => BackupRecord[];
  isOpen: () => boolean;
  request: (body: unknown, timeoutMs: number) => Promise<string>;
  messages: Messages;
  log: Logger;
}

const requestTimeoutMs = 5_000;
/** How long a command waits for the report, so that its result is sent after it. */
const maxWaitMs = 6_000;
/** A message can have at most 1 MiB. */
const maxListBytes = 900_000;

export class BackupReports {
  readonly #options: BackupReportOptions;
  readonly #due = new Set<string>();
  readonly #closed = new AbortController();
  #sending: Promise<void> | null = null;
  #seq = 0;

  constructor(options: BackupReportOptions) {
    this.#options = options;
  }

  /** Called when the platform has replied to the greeting. Reports everything, because earlier reports may be lost. */
  sendAll(): void {
    for (const instance of this.#options.instances()) this.#due.add(instance);
    void this.#send();
  }

  /** Resolves once the platform has the report, or after 6 s; the report is retried in the background. */
  async send(instance: string): Promise<void> {
    this.#due.add(instance);
    await Promise.race([this.#send(), pause(maxWaitMs, this.#closed.signal)]);
  }

  close(): void {
    this.#closed.abort();
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendDue();
    return this.#sending;
  }

  /** Sends nothing while disconnected; the next greeting reports everything. */
  async #sendDue(): Promise<void> {
    const backoff = new Backoff(500, 15_000);
    await Promise.resolve(); // the caller stores this promise first
    for (const instance of this.#due) {
      if (!this.#options.isOpen() || this.#closed.signal.aborted) break;
      this.#due.delete(instance);
      if (!this.#options.instances().includes(instance)) continue;
      if (await this.#sendReport(instance)) backoff.reset();
      else {
        this.#due.add(instance);
        await pause(backoff.nextMs(), this.#closed.signal);
      }
    }
    this.#sending = null;
  }

  async #sendReport(instance: string): Promise<boolean> {
    const { boot, list, request, messages, log } = this.#options;
    this.#seq += 1;
    const body = { v: 1, boot, seq: this.#seq, instance, backups: shortened(list(instance)) };
    return isAcknowledged({ kind: 'backups', body, messages, log }, () => request(body, requestTimeoutMs));
  }
}

function shortened(records: BackupRecord[]): BackupRecord[] {
  if (Buffer.byteLength(JSON.stringify(records)) <= maxListBytes) return records;
  return records.map(({ paths: _, ...record }) => record);
}
