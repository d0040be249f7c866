// Files of the archive in the storage: written with their checksum, and read only if that matches.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../storage/storage.ts';
import { keyOf } from '../storage/stored-files.ts';

export interface Checksum {
  bytes: number;
  sha256: string;
}

/** Directories in which the archive is written and read. */
export const scratch = { prefix: 'archive-', abandonedAfterMs: 24 * 60 * 60_000 };

interface Place {
  licenseId: string;
  fileId: string;
}

/** A license's files are below a prefix of its own. */
export const archiveKey = ({ licenseId, fileId }: Place) =>
  keyOf({ kind: 'archive', license_id: licenseId, file_id: fileId });

/** Stores a file, and reads it again: what the storage returns must be what was written. */
export async function storeVerified(
  storage: Storage,
  place: Place,
  path: string,
  progressed: () => void,
): Promise<Checksum> {
  const written = new Digest(progressed);
  await storage.put(archiveKey(place), written.pass(createReadStream(path)));
  const stored = new Digest(progressed);
  await stored.read(await storage.open(archiveKey(place)));
  const checksum = written.end();
  if (stored.end().sha256 !== checksum.sha256)
    throw new Error('the storage returns something else than was written to it');
  return checksum;
}

/** Copies a file out of the storage; fails if it is not the one that its row describes. */
export async function fetchVerified(
  storage: Storage,
  place: Place,
  { path, sha256 }: { path: string; sha256: string },
): Promise<void> {
  const digest = new Digest();
  const content = await storage.open(archiveKey(place));
  await pipeline(digest.pass(content), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  if (digest.end().sha256 !== sha256)
    throw new Error(`${archiveKey(place)} is damaged: its checksum is not that of the row which names it`);
}

/** The checksum of content that passes. */
class Digest {
  readonly #hash = createHash('sha256');
  readonly #progressed: () => void;
  #bytes = 0;

  constructor(progressed: () => void = () => undefined) {
    this.#progressed = progressed;
  }

  async *pass(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of content) {
      this.#progressed();
      this.#hash.update(bytes);
      this.#bytes += bytes.byteLength;
      yield bytes;
    }
  }

  async read(content: AsyncIterable<Uint8Array>): Promise<void> {
    const passing = this.pass(content);
    while ((await passing.next()).done !== true);
  }

  end(): Checksum {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
