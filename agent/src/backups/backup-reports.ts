// Tells the platform which backups each instance has: after every connect, and after each change.
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import { isTaken } from '../bus/acknowledgement.ts';
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
/** How long whoever has changed something waits, so that its result comes after the news. */
const longestWaitMs = 6_000;
/** A message has at most a mebibyte. */
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

  /** The platform has greeted: it may have missed anything. */
  tellAll(): void {
    for (const instance of this.#options.instances()) this.#due.add(instance);
    void this.#send();
  }

  /** Resolves once the platform knows, or when that takes long; it will be told in any case. */
  async tell(instance: string): Promise<void> {
    this.#due.add(instance);
    await Promise.race([this.#send(), pause(longestWaitMs, this.#closed.signal)]);
  }

  close(): void {
    this.#closed.abort();
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendDue();
    return this.#sending;
  }

  /** While there is no connection nothing is sent; the next greeting brings it all. */
  async #sendDue(): Promise<void> {
    const backoff = new Backoff(500, 15_000);
    await Promise.resolve(); // what follows ends after it was stored as what is being sent
    for (const instance of this.#due) {
      if (!this.#options.isOpen() || this.#closed.signal.aborted) break;
      this.#due.delete(instance);
      if (!this.#options.instances().includes(instance)) continue;
      if (await this.#offer(instance)) backoff.reset();
      else {
        this.#due.add(instance);
        await pause(backoff.nextMs(), this.#closed.signal);
      }
    }
    this.#sending = null;
  }

  async #offer(instance: string): Promise<boolean> {
    const { boot, list, request, messages, log } = this.#options;
    this.#seq += 1;
    const body = { v: 1, boot, seq: this.#seq, instance, backups: shortened(list(instance)) };
    return isTaken({ kind: 'backups', body, messages, log }, () => request(body, requestTimeoutMs));
  }
}

function shortened(records: BackupRecord[]): BackupRecord[] {
  if (Buffer.byteLength(JSON.stringify(records)) <= maxListBytes) return records;
  return records.map(({ paths: _, ...record }) => record);
}
