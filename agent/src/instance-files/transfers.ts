// Tracks open uploads and downloads: ordered chunks, checksums, and a timeout for abandoned transfers.
import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Messages } from '../messages.ts';
import { fill, isSyncDue, writeWhole, type Writable } from './content.ts';
import { confirm, receiveFile, refuse, sendFile } from './connected-contents.ts';
import type { DataConnection } from './data-connection.ts';
import type { FileEntry } from './entries.ts';
import { asFileError, FileError } from './file-error.ts';
import { InOrder } from './in-order.ts';
import type { InstanceFiles } from './instance-files.ts';

export const chunkBytes = 256 * 1024;

/** Each transfer holds a few chunks in memory. */
export const maxAtOnce = 16;
const maxBytes = 64 * 1024 ** 3;

/** Where an upload is written, and what publishes it once it is complete. */
export interface Destination extends Writable {
  publish(isReplacing: boolean): Promise<FileEntry>;
  discard(): Promise<void>;
}

interface Transfer {
  /** Returns the bytes of a download, with the hash of the whole content in the last reply. */
  take(seq: number, bytes: Uint8Array): Promise<{ bytes?: Buffer; sha256?: string }>;
  /** Carries all of the content over the connection. Parts are refused from then on. */
  carry(connection: DataConnection, progressed: () => void): Promise<void>;
  end(): Promise<void>;
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
      await fill(this.#file, bytes, start);
      this.#hash.update(bytes);
      const isLast = start + bytes.byteLength >= this.#size;
      return { bytes, ...(isLast && { sha256: this.#hash.digest('hex') }) };
    });
  }

  carry(connection: DataConnection, progressed: () => void): Promise<void> {
    return this.#inOrder.run(async () => {
      if (this.#next !== 0) throw new FileError('invalid', 'The transfer has begun.');
      this.#next = Number.POSITIVE_INFINITY;
      await sendFile(connection, { file: this.#file, size: this.#size, hash: this.#hash }, progressed);
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
  readonly #messages: Messages;
  readonly #hash = createHash('sha256');
  readonly #inOrder = new InOrder();
  #next = 0;
  #size = 0;
  #sha256: string | undefined;

  constructor(
    staged: Destination,
    { isReplacing, maxBytes }: { isReplacing: boolean; maxBytes: number },
    messages: Messages,
  ) {
    this.staged = staged;
    this.isReplacing = isReplacing;
    this.#maxBytes = maxBytes;
    this.#messages = messages;
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
      if (isSyncDue(before, this.#size)) await this.staged.handle.datasync();
      return {};
    });
  }

  carry(connection: DataConnection, progressed: () => void): Promise<void> {
    return this.#inOrder.run(async () => {
      if (this.#next !== 0) throw new FileError('invalid', 'The transfer has begun.');
      this.#next = Number.POSITIVE_INFINITY;
      const [to, hash, maxBytes] = [this.staged, this.#hash, this.#maxBytes];
      const received = await receiveFile(
        connection,
        { to, hash, maxBytes, messages: this.#messages },
        progressed,
      );
      [this.#size, this.#sha256] = [received.size, received.sha256];
      await confirm(connection, received);
    });
  }

  finish(size: number, sha256: string, files: InstanceFiles): Promise<FileEntry> {
    return this.#inOrder.run(async () => {
      this.#sha256 ??= this.#hash.digest('hex');
      if (size !== this.#size || this.#sha256 !== sha256)
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
  connection?: DataConnection;
}

export class Transfers {
  readonly #held = new Map<string, Held>();
  readonly #messages: Messages;
  readonly #log: Logger;
  readonly #idleMs: number;
  #opening = 0;

  constructor(messages: Messages, log: Logger, idleMs: number) {
    this.#messages = messages;
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
      return { made: new Upload(staged, limits, this.#messages), size: 0 };
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

  /** Opens a connection and has the content of the transfer carried over it in the background. */
  async connect(id: string, open: () => Promise<DataConnection>): Promise<void> {
    const held = this.#find(id);
    held.timer.refresh();
    const connection = await open();
    if (this.#held.get(id) !== held || held.connection !== undefined) {
      connection.destroy();
      throw new FileError('invalid', 'The transfer has ended, or has a connection.');
    }
    held.connection = connection;
    void this.#carry(id, held, connection);
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
    // After a refusal, the connection closes once the platform has read the reason.
    if (held.connection?.writableEnded === false) held.connection.destroy();
    await held.transfer
      .end()
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, 'temporary files of a transfer could not be removed'),
      );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((id) => this.end(id)));
  }

  /** A transfer ends when its connection breaks off. */
  async #carry(id: string, { transfer, timer }: Held, connection: DataConnection): Promise<void> {
    try {
      await transfer.carry(connection, () => timer.refresh());
    } catch (error) {
      this.#log.info({ transfer: id, reason: asFileError(error).message }, 'a transfer broke off');
      await refuse(connection, error);
      await this.end(id);
    }
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
