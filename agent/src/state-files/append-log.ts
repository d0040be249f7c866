// An append-only file of JSON lines; an awaited append is on disk, and concurrent appends share one fsync.
import { constants } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import { isFull, isMissing } from '../errors.ts';
import { replaceDurably } from './durable-file.ts';

export type LogFile = Pick<FileHandle, 'write' | 'datasync' | 'close'>;

export interface AppendLogOptions {
  /**
   * Bytes of newlines that are kept after the last record, written and synced. Records that overwrite them need no new
   * disk space, so they can be written to a full disk.
   */
  reserveBytes?: number;
  openFile?: (path: string) => Promise<LogFile>;
}

export interface AppendOptions {
  /** Bytes of the reserve that must remain after the append. Without them nothing is written. */
  leavingBytes?: number;
}

/** Nothing of the record was written: only the reserve is left on the disk. */
export class NoRoomError extends Error {}

interface Waiting {
  bytes: Buffer;
  leavingBytes: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const newline = 0x0a;

export class AppendLog {
  readonly #path: string;
  readonly #reserveBytes: number;
  readonly #openFile: (path: string) => Promise<LogFile>;
  #file: LogFile | null = null;
  #waiting: Waiting[] = [];
  #work: Promise<void> = Promise.resolve();
  /** Position of the next record and size of the file; null while that must be read from the file. */
  #extent: { end: number; size: number } | null = null;
  /** End of the bytes that a failed write may have left behind. The next successful write erases them. */
  #brokenUntil = 0;

  constructor(path: string, { reserveBytes = 0, openFile = openForWriting }: AppendLogOptions = {}) {
    this.#path = path;
    this.#reserveBytes = reserveBytes;
    this.#openFile = openFile;
  }

  /** Reads every complete record. A torn last line is expected after a crash; other unreadable lines are logged. */
  async read(log: Logger): Promise<unknown[]> {
    const content = await this.#content();
    this.#measure(content);
    const lines = content.toString('utf8').split('\n');
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

  /** Resolves once the record is on disk. A rejected record may be on disk until the next append succeeds. */
  append(record: unknown, { leavingBytes = 0 }: AppendOptions = {}): Promise<void> {
    return this.#enqueue(JSON.stringify(record) + '\n', leavingBytes);
  }

  /** Resolves once no rejected record is left on disk. */
  erase(): Promise<void> {
    return this.#enqueue('', 0);
  }

  /** Replaces the content with the records that the function returns when the rewrite runs. */
  rewrite(records: () => unknown[]): Promise<void> {
    const work = this.#work.then(async () => {
      const text = records()
        .map((record) => JSON.stringify(record) + '\n')
        .join('');
      const end = Buffer.byteLength(text);
      await this.#file?.close();
      this.#file = null;
      const extent = this.#extent;
      this.#extent = null;
      const former = await this.#inode();
      try {
        await replaceDurably(this.#path, text + '\n'.repeat(this.#reserveBytes));
      } catch (error) {
        // After a failure either file may be in place. For the former file, the leftovers of rejected appends are
        // known.
        if (former !== undefined && former === (await this.#inode())) this.#extent = extent;
        throw error;
      }
      this.#extent = { end, size: end + this.#reserveBytes };
      this.#brokenUntil = 0;
    });
    this.#work = work.catch(() => undefined);
    return work;
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#file?.close();
    this.#file = null;
  }

  #enqueue(text: string, leavingBytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes: Buffer.from(text), leavingBytes, resolve, reject });
      if (this.#waiting.length === 1) this.#work = this.#work.then(() => this.#write());
    });
  }

  async #write(): Promise<void> {
    let batch = this.#waiting;
    this.#waiting = [];
    try {
      this.#file ??= await this.#openFile(this.#path);
      const extent = (this.#extent ??= this.#measure(await this.#content()));
      batch = await this.#withRoom(this.#file, extent, batch);
      const bytes = Buffer.concat(batch.map((entry) => entry.bytes));
      const end = extent.end + bytes.length;
      const left = Buffer.alloc(Math.max(0, this.#brokenUntil - end), newline);
      if (bytes.length + left.length > 0) {
        this.#brokenUntil = Math.max(this.#brokenUntil, end);
        await writeAll(this.#file, Buffer.concat([bytes, left]), extent.end);
        await this.#file.datasync();
        extent.end = end;
        extent.size = Math.max(extent.size, this.#brokenUntil);
        this.#brokenUntil = 0;
      }
      for (const entry of batch) entry.resolve();
      if (extent.size - extent.end < this.#reserveBytes / 2)
        // If there is no space now, the next record that requires a reserve tries again and reports the failure.
        await this.#grow(this.#file, extent, extent.end + this.#reserveBytes).catch(() => undefined);
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }

  /** Returns the entries of the batch for which the reserve suffices, and rejects the others. */
  async #withRoom(
    file: LogFile,
    extent: { end: number; size: number },
    batch: Waiting[],
  ): Promise<Waiting[]> {
    const leavingBytes = Math.max(0, ...batch.map((entry) => entry.leavingBytes));
    const neededSize = batch.reduce((sum, { bytes }) => sum + bytes.length, extent.end) + leavingBytes;
    if (leavingBytes === 0 || neededSize <= extent.size) return batch;
    try {
      await this.#grow(file, extent, neededSize + this.#reserveBytes);
      return batch;
    } catch (error) {
      if (!isFull(error)) throw error;
      const refusal = new NoRoomError(`There is not enough disk space for ${this.#path}.`, { cause: error });
      for (const entry of batch) if (entry.leavingBytes > 0) entry.reject(refusal);
      return batch.filter((entry) => entry.leavingBytes === 0);
    }
  }

  async #grow(file: LogFile, extent: { end: number; size: number }, size: number): Promise<void> {
    await writeAll(file, Buffer.alloc(size - extent.size, newline), extent.size);
    await file.datasync();
    extent.size = size;
  }

  async #inode(): Promise<bigint | undefined> {
    return stat(this.#path, { bigint: true }).then(
      ({ ino }) => ino,
      (error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      },
    );
  }

  async #content(): Promise<Buffer> {
    return readFile(this.#path).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    });
  }

  /** Places the next record after the last complete line. A torn line after it is erased. */
  #measure(content: Buffer): { end: number; size: number } {
    let last = content.length;
    while (last > 0 && content[last - 1] === newline) last -= 1;
    const isTorn = last === content.length;
    const end = isTorn ? content.lastIndexOf(newline) + 1 : last === 0 ? 0 : last + 1;
    this.#brokenUntil = isTorn ? content.length : 0;
    return (this.#extent = { end, size: content.length });
  }
}

function openForWriting(path: string): Promise<LogFile> {
  return open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
}

async function writeAll(file: LogFile, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
