// Writes the audit log: one line of JSON for each request that may change something, and for each outcome.
import { appendFile, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { replaceFile } from '../whole-files.ts';

export interface AuditEntry {
  event: 'started' | 'request' | 'operation' | 'refused';
  [field: string]: string | number | boolean | null | undefined;
}

/** A larger file is renamed and replaces the previously renamed one. */
const maxBytes = 5 * 1024 * 1024;

export class AuditLog {
  readonly file: string;
  readonly #log: Logger;
  #last: Promise<void> = Promise.resolve();

  constructor(file: string, log: Logger) {
    this.file = file;
    this.#log = log;
  }

  /** Entries are written one after the other. A failed write does not stop the audited action. */
  add(entry: AuditEntry): void {
    const line = `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`;
    this.#last = this.#last
      .then(() => this.#write(line))
      .catch((error: unknown) => this.#log.error({ err: error }, 'the audit log cannot be written'));
  }

  /** Waits until all entries are written. */
  flush(): Promise<void> {
    return this.#last;
  }

  async #write(line: string): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    const size = await stat(this.file).then(
      (found) => found.size,
      () => 0,
    );
    if (size > maxBytes) await replaceFile(this.file, `${this.file}.1`);
    await appendFile(this.file, line, { mode: 0o600 });
  }
}
