// Stores files in a directory of this host; replicas share it as a mounted volume.
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode, syncDirectory } from '../process/files.ts';
import { checkedKey, Source, storing } from './storage-fault.ts';
import type { Storage, StoredRange } from './storage.ts';

export class LocalStorage implements Storage {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#pathOf(key);
    const source = new Source();
    try {
      await storing('writing a file', () => write(path, source.read(content)));
    } catch (error) {
      await rm(draftOf(path), { force: true }).catch(() => undefined); // the sweep tries again
      throw source.failure ?? error;
    }
  }

  async open(key: string, range?: StoredRange): Promise<Readable> {
    const path = this.#pathOf(key);
    return storing('opening a file', async () => {
      const file = await open(path, 'r');
      return file.createReadStream(range && { start: range.first, end: range.last });
    });
  }

  async sizeOf(key: string): Promise<number | null> {
    const path = this.#pathOf(key);
    return storing('looking at a file', async () => {
      try {
        return (await stat(path)).size;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    });
  }

  async remove(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await storing('removing a file', async () => {
      for (const file of [draftOf(path), path]) await rm(file, { force: true });
    });
  }

  close(): void {
    // No handle stays open between calls.
  }

  #pathOf(key: string): string {
    return join(this.#directory, ...checkedKey(key).split('/'));
  }
}

const draftOf = (path: string) => `${path}.part`;

async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(draftOf(path), 'wx', 0o600);
  try {
    for await (const bytes of content) await writeAll(file, bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draftOf(path), path);
  await syncDirectory(dirname(path));
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) done += (await file.write(bytes, done)).bytesWritten;
}
