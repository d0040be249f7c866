// Reads and writes whole file contents, with bounded memory and at the pace of the disk.
import type { FileHandle } from 'node:fs/promises';
import { pause } from '../backoff.ts';
import type { DiskRoom } from './disk-room.ts';
import { FileError } from './file-error.ts';

const chunkBytes = 256 * 1024;

/** Bytes written between two syncs, so that the end of an upload does not wait long for the disk. */
const syncedBytes = 32 * 1024 * 1024;

/** A file that was written within this time may still be incomplete. */
const settlingMs = 200;
/** A file that is written all the time is read as it is. */
const maxSettlingMs = 2_000;

/** An open file and the free space of its disk. */
export interface Writable {
  readonly handle: FileHandle;
  readonly room: DiskRoom;
}

export async function writeWhole(
  { handle, room }: Writable,
  bytes: Uint8Array,
  start: number,
): Promise<void> {
  await room.take(bytes.byteLength);
  await writeRest(handle, bytes, start);
}

async function writeRest(handle: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, start + done);
    done += bytesWritten;
  }
}

/** Reads bytes from that position until the buffer is full. */
export async function fill(file: FileHandle, buffer: Buffer, position: number): Promise<void> {
  for (let length = 0; length < buffer.byteLength;) {
    const { bytesRead } = await file.read(buffer, length, buffer.byteLength - length, position + length);
    if (bytesRead === 0) throw new FileError('failed', 'The file became shorter during the transfer.');
    length += bytesRead;
  }
}

/** Writes the pieces one after another. */
export async function writeTogether(
  { handle, room }: Writable,
  pieces: readonly Uint8Array[],
  start: number,
): Promise<void> {
  const bytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (bytes === 0) return;
  await room.take(bytes);
  const { bytesWritten } = await handle.writev(pieces, start);
  // A disk takes less only if it is full: writing the rest throws the reason.
  let position = start;
  for (const piece of pieces) {
    const done = Math.min(Math.max(start + bytesWritten - position, 0), piece.byteLength);
    if (done < piece.byteLength) await writeRest(handle, piece.subarray(done), position + done);
    position += piece.byteLength;
  }
}

/** Whether a write that made the file that long must be followed by a sync. */
export const isSyncDue = (lengthBefore: number, length: number): boolean =>
  Math.floor(lengthBefore / syncedBytes) !== Math.floor(length / syncedBytes);

/** `admit` may throw when there are too many bytes. */
export async function writeAll(
  to: Writable,
  source: AsyncIterable<Uint8Array>,
  admit: (bytes: number) => void = () => undefined,
): Promise<void> {
  let written = 0;
  for await (const bytes of source) {
    admit(bytes.byteLength);
    await writeWhole(to, bytes, written);
    written += bytes.byteLength;
  }
}

/** Returns null when the file is larger than `most`. A file that grows meanwhile uses no more memory than that. */
export async function readUpTo(file: FileHandle, max: number): Promise<Buffer | null> {
  const { size } = await file.stat();
  if (size > max) return null;
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.byteLength - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > max) return null;
    if (length === buffer.byteLength) buffer = Buffer.concat([buffer], Math.min(2 * length, max + 1));
  }
}

/**
 * Opens a file once nothing has written it for 200 ms. Game servers and their plugins empty a file before they write it,
 * so a reader would find half of it.
 */
export async function openSettled(open: () => Promise<FileHandle>): Promise<FileHandle> {
  const file = await open();
  try {
    for (let waited = 0; waited < maxSettlingMs; waited += settlingMs) {
      const { mtimeMs } = await file.stat();
      if (Math.abs(Date.now() - mtimeMs) >= settlingMs) break;
      await pause(settlingMs);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Yields at most `size` bytes, even if the file has grown since. */
export async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size;) {
    const wanted = Math.min(chunkBytes, size - position);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
    if (bytesRead === 0) return; // the file was truncated
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
