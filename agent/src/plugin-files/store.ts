// Keeps contents for files of plugins in the agent's state directory: uploads until their command comes, and what files were before.
import { mkdirSync } from 'node:fs';
import { open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceDurably } from '../files/durable-file.ts';
import type { Writable } from '../instance-files/content.ts';
import { DiskRoom } from '../instance-files/disk-room.ts';
import { describe } from '../instance-files/entries.ts';
import type { FileEntry } from '../instance-files/entries.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { Destination } from '../instance-files/transfers.ts';
import { isMissing } from '../system-error.ts';

/** Of one file of a plugin. */
export const mostPluginFileBytes = 16 * 1024 * 1024;

const uploadsMs = 3600_000;
const mostUploads = 200;

/** Names in it: `upload-ID.part`, then `upload-ID`; `former-ID-N`; and `record.json`. */
export class PluginFileStore {
  readonly #directory: string;
  readonly #log: Logger;

  constructor(directory: string, log: Logger) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.#log = log;
  }

  get recordFile(): string {
    return this.#file('record.json');
  }

  async receive(id: string): Promise<Destination> {
    if ((await this.#dropOldUploads()) >= mostUploads)
      throw new FileError('busy', `${mostUploads} files of plugins wait to be applied already.`);
    const part = this.#file(`upload-${id}.part`);
    const room = new DiskRoom(this.#directory);
    await room.require(0);
    const writable = { handle: await open(part, 'wx+', 0o600), room };
    return new ArrivingFile(writable, part, this.#file(`upload-${id}`));
  }

  /** Null once it is no longer kept. */
  upload(id: string): Promise<Buffer | null> {
    return readFile(this.#file(`upload-${id.toLowerCase()}`)).catch(nullIfMissing);
  }

  async dropUpload(id: string): Promise<void> {
    await rm(this.#file(`upload-${id.toLowerCase()}`), { force: true });
  }

  keepFormer(id: string, number: number, content: Buffer): Promise<void> {
    return replaceDurably(this.#file(`former-${id.toLowerCase()}-${number}`), content);
  }

  former(id: string, number: number): Promise<Buffer> {
    return readFile(this.#file(`former-${id.toLowerCase()}-${number}`));
  }

  /** Removes what files were before every other command than this. */
  async dropFormerBut(id: string): Promise<void> {
    for (const name of await readdir(this.#directory))
      if (name.startsWith('former-') && !name.startsWith(`former-${id.toLowerCase()}-`))
        await rm(this.#file(name), { force: true });
  }

  /** Removes what an agent before this one was receiving. */
  async recover(): Promise<void> {
    try {
      for (const name of await readdir(this.#directory))
        if (/\.(part|new)$/.test(name)) await rm(this.#file(name), { force: true });
      await this.#dropOldUploads();
    } catch (error) {
      this.#log.warn({ err: error }, 'what is kept of files of plugins could not be tidied');
    }
  }

  /** How many are left. */
  async #dropOldUploads(): Promise<number> {
    let left = 0;
    for (const name of await readdir(this.#directory)) {
      if (!name.startsWith('upload-')) continue;
      const { mtimeMs } = await stat(this.#file(name)).catch(() => ({ mtimeMs: 0 }));
      if (mtimeMs < Date.now() - uploadsMs) await rm(this.#file(name), { force: true });
      else left += 1;
    }
    return left;
  }

  #file(name: string): string {
    return join(this.#directory, name);
  }
}

class ArrivingFile implements Destination {
  readonly handle: FileHandle;
  readonly room: DiskRoom;
  readonly #part: string;
  readonly #whole: string;
  #isOver = false;

  constructor({ handle, room }: Writable, part: string, whole: string) {
    this.handle = handle;
    this.room = room;
    this.#part = part;
    this.#whole = whole;
  }

  async publish(): Promise<FileEntry> {
    const found = await this.handle.stat();
    await this.handle.sync();
    await rename(this.#part, this.#whole);
    this.#isOver = true;
    await this.handle.close();
    return describe('upload', found);
  }

  async discard(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.handle.close();
    await rm(this.#part, { force: true });
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
