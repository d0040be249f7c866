// Keeps an append-only file of JSON lines whose appends are on disk once awaited; appends share their fsync.
import { constants } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import { isFull, isMissing } from '../system-error.ts';
import { replaceDurably } from './durable-file.ts';

export type LogFile = Pick<FileHandle, 'write' | 'datasync' | 'close'>;

export interface AppendLogOptions {
  /**
   * Bytes of line ends that the file keeps after its last record, written and synced: records that are overwritten into
   * them need no room, so that a full disk takes them too.
   */
  reserveBytes?: number;
  openFile?: (path: string) => Promise<LogFile>;
}

export interface AppendOptions {
  /** Bytes of the reserve that have to be there afterwards. Without them nothing is written. */
  leavingBytes?: number;
}

/** Nothing of the record was written: the disk is full but for what is reserved. */
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
  /** Where the next record goes, and how large the file is; null while that has to be read from it. */
  #extent: { end: number; size: number } | null = null;
  /** Up to here a failed write may have left a part of itself; the next one that succeeds erases it. */
  #brokenUntil = 0;

  constructor(path: string, { reserveBytes = 0, openFile = openForWriting }: AppendLogOptions = {}) {
    this.#path = path;
    this.#reserveBytes = reserveBytes;
    this.#openFile = openFile;
  }

  /** Reads every whole record. A torn last line is what a crash leaves; anything else unreadable is logged. */
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

  /** Resolves once the record is on disk. One that is rejected may be on disk until the next append succeeds. */
  append(record: unknown, { leavingBytes = 0 }: AppendOptions = {}): Promise<void> {
    return this.#enqueue(JSON.stringify(record) + '\n', leavingBytes);
  }

  /** Resolves once no record is on disk whose append was rejected. */
  erase(): Promise<void> {
    return this.#enqueue('', 0);
  }

  /** Replaces everything by the records that the function gives when its turn comes. */
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
        // A failure may leave either file. Of the former one it is known what rejected appends have left in it.
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
        // Where there is no room now, the next record that has to leave some asks again and says so.
        await this.#grow(this.#file, extent, extent.end + this.#reserveBytes).catch(() => undefined);
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }

  /** Those of the batch that leave as much of the reserve as they have to; the others are rejected. */
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
      const refusal = new NoRoomError(`There is no room for ${this.#path}.`, { cause: error });
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

  /** The next record goes after the last whole line; what is torn there is erased with it. */
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
