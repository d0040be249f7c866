// Carries contents of files over data connections: the bytes, then a text with their length and checksum.
import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Messages, Schemas } from '../messages.ts';
import { cutDetail } from '../messages.ts';
import { fill, isSyncDue, writeTogether, type Writable } from './content.ts';
import { sent, type DataConnection } from './data-connection.ts';
import { FileError, asFileError } from './file-error.ts';

type Reply = Schemas['FileReply'];

/** Bytes that are read from the disk or written to it at once. */
const blockBytes = 512 * 1024;
/** Blocks that are read ahead while earlier ones are sent. */
const blockCount = 3;

/** Sends the bytes of the file, from its beginning to that size. `progressed` is called after each block. */
export async function sendFile(
  connection: DataConnection,
  { file, size, hash }: { file: FileHandle; size: number; hash: Hash },
  progressed: () => void,
): Promise<void> {
  const blocks = Array.from({ length: blockCount }, () => ({
    buffer: Buffer.allocUnsafeSlow(blockBytes),
    isSent: Promise.resolve(),
  }));
  for (let start = 0, turn = 0; start < size; turn += 1) {
    const block = blocks[turn % blockCount] as (typeof blocks)[number];
    await block.isSent;
    const length = Math.min(blockBytes, size - start);
    await fill(file, block.buffer.subarray(0, length), start);
    const bytes = block.buffer.subarray(0, length);
    block.isSent = sent(connection, bytes);
    block.isSent.catch(() => undefined); // handled when the block is needed again
    hash.update(bytes);
    start += length;
    progressed();
  }
  for (const { isSent } of blocks) await isSent;
  await sent(connection, textOf({ v: 1, ok: true, size, sha256: hash.digest('hex') }));
}

export interface Received {
  size: number;
  sha256: string;
}

/**
 * Writes what arrives, and returns its length and checksum once the sender has confirmed both. `progressed` is called
 * after each message.
 */
export async function receiveFile(
  connection: DataConnection,
  { to, hash, maxBytes, messages }: { to: Writable; hash: Hash; maxBytes: number; messages: Messages },
  progressed: () => void,
): Promise<Received> {
  const file = new ArrivingContent(to, hash);
  // Not closed when this returns: the platform still gets a reply.
  const arriving = connection.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer | string>;
  for await (const message of arriving) {
    progressed();
    if (typeof message === 'string') {
      const end = endIn(message, messages);
      const received = await file.complete();
      if (end.size !== received.size || end.sha256 !== received.sha256)
        throw new FileError('checksum', 'The received content does not match the sent content.');
      return received;
    }
    if (file.size + message.byteLength > maxBytes)
      throw new FileError('too_large', `It may have at most ${maxBytes} bytes.`);
    await file.take(message);
  }
  throw new FileError('failed', 'The connection broke off during the transfer.');
}

/** Writes one block while the next one arrives. */
class ArrivingContent {
  readonly #to: Writable;
  readonly #hash: Hash;
  #pieces: Buffer[] = [];
  #pendingBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();
  #written = 0;

  constructor(to: Writable, hash: Hash) {
    this.#to = to;
    this.#hash = hash;
  }

  get size(): number {
    return this.#written + this.#pendingBytes;
  }

  async take(piece: Buffer): Promise<void> {
    this.#pieces.push(piece);
    this.#pendingBytes += piece.byteLength;
    if (this.#pendingBytes >= blockBytes) await this.#flush();
  }

  async complete(): Promise<Received> {
    await this.#flush();
    await this.#writing;
    await this.#syncing;
    return { size: this.#written, sha256: this.#hash.digest('hex') };
  }

  async #flush(): Promise<void> {
    await this.#writing;
    const [pieces, start] = [this.#pieces, this.#written];
    this.#written += this.#pendingBytes;
    [this.#pieces, this.#pendingBytes] = [[], 0];
    this.#writing = writeTogether(this.#to, pieces, start);
    this.#writing.catch(() => undefined); // handled when the next block is written
    for (const piece of pieces) this.#hash.update(piece);
    if (!isSyncDue(start, this.#written)) return;
    await this.#syncing;
    this.#syncing = this.#to.handle.datasync();
    this.#syncing.catch(() => undefined); // handled at the next sync
  }
}

function endIn(text: string, messages: Messages): Reply {
  const parsed = messages.parse('FileReply', text);
  if (!parsed.isValid) throw new FileError('invalid', parsed.detail);
  if (!parsed.value.ok) throw new FileError('failed', 'The platform broke off the transfer.');
  return parsed.value;
}

const textOf = (reply: Reply) => JSON.stringify(reply);

/** Confirms an upload whose content is on the disk. */
export const confirm = (connection: DataConnection, { size, sha256 }: Received): Promise<void> =>
  sent(connection, textOf({ v: 1, ok: true, size, sha256 }));

/** Reports to the platform why the transfer failed, unless the connection is closed already. */
export async function refuse(connection: DataConnection, thrown: unknown): Promise<void> {
  const { code, message } = asFileError(thrown);
  const reply = textOf({ v: 1, ok: false, error: { code, detail: cutDetail(message) } });
  await sent(connection, reply).catch(() => undefined);
  connection.end();
}
