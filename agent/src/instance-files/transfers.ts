// Tracks open uploads and downloads: ordered chunks, checksums, and a timeout for abandoned transfers.
import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import { writeWhole } from './content.ts';
import type { Writable } from './content.ts';
import type { FileEntry } from './entries.ts';
import { FileError } from './file-error.ts';
import type { InstanceFiles } from './instance-files.ts';

export const chunkBytes = 256 * 1024;

/** Each transfer holds a few chunks in memory. */
export const maxAtOnce = 16;
const maxBytes = 64 * 1024 ** 3;
/** Bytes written between two syncs, so that the end of an upload does not wait long for the disk. */
const syncedBytes = 32 * 1024 * 1024;

/** Where an upload is written, and what publishes it once it is complete. */
export interface Destination extends Writable {
  publish(isReplacing: boolean): Promise<FileEntry>;
  discard(): Promise<void>;
}

interface Transfer {
  /** Returns the bytes of a download, with the hash of the whole content in the last reply. */
  take(seq: number, bytes: Uint8Array): Promise<{ bytes?: Buffer; sha256?: string }>;
  end(): Promise<void>;
}

/** Runs tasks one at a time in order. After a failure, every later task fails too. */
class InOrder {
  #turn: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn;
    turn.catch(() => undefined); // this caller and every later one get the error
    return turn;
  }

  /** Resolves once all tasks have settled. */
  async settled(): Promise<void> {
    await this.#turn.catch(() => undefined);
  }
}

class Download implements Transfer {
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #hash = createHash('sha256');
  readonly #inOrder = new InOrder();
  #next = 0;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  take(seq: number): Promise<{ bytes: Buffer; sha256?: string }> {
    return this.#inOrder.run(async () => {
      const start = seq * chunkBytes;
      if (seq !== this.#next || (start >= this.#size && seq > 0))
        throw new FileError('invalid', 'The part is out of order.');
      this.#next += 1;
      const bytes = Buffer.allocUnsafe(Math.min(chunkBytes, this.#size - start));
      let length = 0;
      while (length < bytes.byteLength) {
        const { bytesRead } = await this.#file.read(bytes, length, bytes.byteLength - length, start + length);
        if (bytesRead === 0) throw new FileError('failed', 'The file became shorter during the transfer.');
        length += bytesRead;
      }
      this.#hash.update(bytes);
      const isLast = start + bytes.byteLength >= this.#size;
      return { bytes, ...(isLast && { sha256: this.#hash.digest('hex') }) };
    });
  }

  async end(): Promise<void> {
    await this.#inOrder.settled();
    await this.#file.close();
  }
}

class Upload implements Transfer {
  readonly staged: Destination;
  readonly isReplacing: boolean;
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  readonly #inOrder = new InOrder();
  #next = 0;
  #size = 0;

  constructor(staged: Destination, isReplacing: boolean, maxBytes: number) {
    this.staged = staged;
    this.isReplacing = isReplacing;
    this.#maxBytes = maxBytes;
  }

  take(seq: number, bytes: Uint8Array): Promise<object> {
    return this.#inOrder.run(async () => {
      if (seq !== this.#next || this.#size !== seq * chunkBytes || bytes.byteLength > chunkBytes)
        throw new FileError('invalid', 'The part is out of order.');
      if (this.#size + bytes.byteLength > this.#maxBytes)
        throw new FileError('too_large', `It may have at most ${this.#maxBytes} bytes.`);
      this.#next += 1;
      await writeWhole(this.staged, bytes, this.#size);
      this.#hash.update(bytes);
      const before = this.#size;
      this.#size += bytes.byteLength;
      if (Math.floor(before / syncedBytes) !== Math.floor(this.#size / syncedBytes))
        await this.staged.handle.datasync();
      return {};
    });
  }

  finish(size: number, sha256: string, files: InstanceFiles): Promise<FileEntry> {
    return this.#inOrder.run(async () => {
      if (size !== this.#size || this.#hash.digest('hex') !== sha256)
        throw new FileError('checksum', 'The received content does not match the sent content.');
      // Synced before the file queue, so that no other operation waits for the disk.
      await this.staged.handle.sync();
      return files.exclusively(() => this.staged.publish(this.isReplacing));
    });
  }

  async end(): Promise<void> {
    await this.#inOrder.settled();
    await this.staged.discard();
  }
}

interface Held {
  transfer: Transfer;
  files: InstanceFiles;
  timer: NodeJS.Timeout;
}

export class Transfers {
  readonly #held = new Map<string, Held>();
  readonly #log: Logger;
  readonly #idleMs: number;
  #opening = 0;

  constructor(log: Logger, idleMs: number) {
    this.#log = log;
    this.#idleMs = idleMs;
  }

  download(
    files: InstanceFiles,
    open: () => Promise<FileHandle>,
  ): Promise<{ transfer: string; size: number }> {
    return this.#open(files, async () => {
      const file = await open();
      const { size } = await file.stat();
      return { made: new Download(file, size), size };
    });
  }

  upload(
    files: InstanceFiles,
    path: string,
    isReplacing: boolean,
  ): Promise<{ transfer: string; size: number }> {
    return this.receive(files, () => files.stage(path, isReplacing), { isReplacing, maxBytes });
  }

  /** Starts an upload to the destination that `stage` returns for the id of the transfer. */
  receive(
    files: InstanceFiles,
    stage: (id: string) => Promise<Destination>,
    limits: { isReplacing: boolean; maxBytes: number },
  ): Promise<{ transfer: string; size: number }> {
    return this.#open(files, async (id) => {
      const staged = await stage(id);
      return { made: new Upload(staged, limits.isReplacing, limits.maxBytes), size: 0 };
    });
  }

  /** A transfer ends when a request for it fails. */
  async take(id: string, seq: number, bytes: Uint8Array): Promise<{ bytes?: Buffer; sha256?: string }> {
    const held = this.#find(id);
    held.timer.refresh();
    try {
      return await held.transfer.take(seq, bytes);
    } catch (error) {
      await this.end(id);
      throw error;
    }
  }

  async finish(id: string, size: number, sha256: string): Promise<FileEntry> {
    const { transfer, files } = this.#find(id);
    if (!(transfer instanceof Upload)) throw new FileError('invalid', 'It is a download.');
    try {
      return await transfer.finish(size, sha256, files);
    } finally {
      await this.end(id);
    }
  }

  /** Does nothing for a transfer that has ended already. */
  async end(id: string): Promise<void> {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    clearTimeout(held.timer);
    await held.transfer
      .end()
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, 'temporary files of a transfer could not be removed'),
      );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((id) => this.end(id)));
  }

  async #open(
    files: InstanceFiles,
    make: (id: string) => Promise<{ made: Transfer; size: number }>,
  ): Promise<{ transfer: string; size: number }> {
    if (this.#held.size + this.#opening >= maxAtOnce)
      throw new FileError('busy', `${maxAtOnce} transfers are already running on this host.`);
    this.#opening += 1;
    try {
      const id = randomUUID();
      const { made, size } = await make(id);
      const timer = setTimeout(() => void this.end(id), this.#idleMs);
      this.#held.set(id, { transfer: made, files, timer });
      return { transfer: id, size };
    } finally {
      this.#opening -= 1;
    }
  }

  #find(id: string): Held {
    const held = this.#held.get(id);
    if (held === undefined) throw new FileError('unknown_transfer', 'The transfer has ended.');
    return held;
  }
}
