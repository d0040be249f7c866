// Keeps what arrives before it can be judged in a file without a name, until its reader is done with it.
import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DomainError } from '../errors.ts';

/** Bytes on the disk at once, of all requests of this process together. */
const maxBytes = 1024 ** 3;

let bytesHeld = 0;

/** The same content from its beginning, once it has all arrived; gone from the disk when the response is over. */
export async function spooled(content: Readable, response: ServerResponse): Promise<Readable> {
  const path = join(tmpdir(), `gantry-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600).catch(noRoom);
  let bytes = 0;
  const release = () => {
    bytesHeld -= bytes;
    bytes = 0;
  };
  try {
    await unlink(path);
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (bytesHeld + chunk.byteLength > maxBytes) throw busy();
      bytes += chunk.byteLength;
      bytesHeld += chunk.byteLength;
      await file.writev([chunk]).catch(noRoom);
    }
  } catch (error) {
    release();
    await file.close();
    throw error;
  }
  const stored = file.createReadStream({ start: 0 });
  stored.once('close', release);
  if (response.destroyed) stored.destroy();
  else response.once('close', () => stored.destroy());
  return stored;
}

const busy = (cause?: unknown) =>
  new DomainError('unavailable', 'Too many uploads at once; send the fields before the file.', { cause });

function noRoom(error: unknown): never {
  throw busy(error);
}
