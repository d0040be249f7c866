// Keeps an append-only file of JSON lines whose appends are on disk once awaited; appends share their fsync.
import { open, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import { isMissing } from '../system-error.ts';
import { replaceDurably } from './durable-file.ts';

interface Waiting {
  text: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class AppendLog {
  readonly #path: string;
  #file: FileHandle | null = null;
  #waiting: Waiting[] = [];
  #work: Promise<void> = Promise.resolve();
  #isBroken = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads every whole record. A torn last line is what a crash leaves; anything else unreadable is logged. */
  async read(log: Logger): Promise<unknown[]> {
    const text = await readFile(this.#path, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw error;
    });
    const lines = text.split('\n');
    const records: unknown[] = [];
    for (const [index, line] of lines.entries()) {
      if (line === '') continue;
      try {
        records.push(JSON.parse(line));
      } catch (error) {
        if (index < lines.length - 1)
          log.warn({ file: this.#path, line: index + 1, err: error }, 'unreadable record skipped');
      }
    }
    return records;
  }

  append(record: unknown): Promise<void> {
    const text = JSON.stringify(record) + '\n';
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject });
      if (this.#waiting.length === 1) this.#work = this.#work.then(() => this.#write());
    });
  }

  /** Replaces everything by the records that the function gives when its turn comes. */
  rewrite(records: () => unknown[]): Promise<void> {
    const work = this.#work.then(async () => {
      const text = records()
        .map((record) => JSON.stringify(record) + '\n')
        .join('');
      await this.#file?.close();
      this.#file = null;
      await replaceDurably(this.#path, text);
      this.#isBroken = false;
    });
    this.#work = work.catch(() => undefined);
    return work;
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#file?.close();
    this.#file = null;
  }

  async #write(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      this.#file ??= await open(this.#path, 'a', 0o600);
      // After a failed write the file may end within a line; the newline keeps the next record whole.
      await this.#file.appendFile((this.#isBroken ? '\n' : '') + batch.map((entry) => entry.text).join(''));
      await this.#file.datasync();
      this.#isBroken = false;
      for (const entry of batch) entry.resolve();
    } catch (error) {
      this.#isBroken = true;
      for (const entry of batch) entry.reject(error);
    }
  }
}
