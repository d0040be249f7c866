// Uploads that wait in a directory of the agent for the command that is about them.
import { open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../system-error.ts';
import type { Writable } from './content.ts';
import { DiskRoom } from './disk-room.ts';
import { describe, type FileEntry } from './entries.ts';
import { FileError } from './file-error.ts';
import type { Destination } from './transfers.ts';

/** What is not asked for within an hour never will be. */
const keptMs = 3600_000;

interface Options {
  directory: string;
  /** What names of whole uploads end with. */
  extension: string;
  /** How many may wait. */
  most: number;
  /** Says of as many that they wait. */
  tooMany: string;
}

/** Throws unless what has arrived may stay. */
type Check = (handle: FileHandle, size: number) => Promise<void>;

/** Names in the directory: `upload-ID.part`, then `upload-ID` with the extension. */
export class WaitingUploads {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Where one arrives; it is checked when it is whole, and described by that name. */
  async receive(id: string, name: string, check?: Check): Promise<Destination> {
    const { directory, most, tooMany } = this.#options;
    if ((await this.dropOld()) >= most) throw new FileError('busy', tooMany);
    const room = new DiskRoom(directory);
    await room.require(0);
    const part = join(directory, `upload-${id}.part`);
    const writable = { handle: await open(part, 'wx+', 0o600), room };
    return new ArrivingFile(writable, { part, whole: this.#whole(id), name }, check);
  }

  /** Null once it is no longer kept. */
  read(id: string): Promise<Buffer | null> {
    return readFile(this.#whole(id.toLowerCase())).catch(nullIfMissing);
  }

  async drop(id: string): Promise<void> {
    await rm(this.#whole(id.toLowerCase()), { force: true });
  }

  /** How many are left. */
  async dropOld(): Promise<number> {
    const { directory } = this.#options;
    let left = 0;
    for (const name of await readdir(directory)) {
      if (!name.startsWith('upload-')) continue;
      const { mtimeMs } = await stat(join(directory, name)).catch(() => ({ mtimeMs: 0 }));
      if (mtimeMs < Date.now() - keptMs) await rm(join(directory, name), { force: true });
      else left += 1;
    }
    return left;
  }

  #whole(id: string): string {
    return join(this.#options.directory, `upload-${id}${this.#options.extension}`);
  }
}

class ArrivingFile implements Destination {
  readonly handle: FileHandle;
  readonly room: DiskRoom;
  readonly #paths: { part: string; whole: string; name: string };
  readonly #check: Check | undefined;
  #isOver = false;

  constructor(
    { handle, room }: Writable,
    paths: { part: string; whole: string; name: string },
    check: Check | undefined,
  ) {
    this.handle = handle;
    this.room = room;
    this.#paths = paths;
    this.#check = check;
  }

  async publish(): Promise<FileEntry> {
    const found = await this.handle.stat();
    await this.#check?.(this.handle, found.size);
    await this.handle.sync();
    await rename(this.#paths.part, this.#paths.whole);
    this.#isOver = true;
    await this.handle.close();
    return describe(this.#paths.name, found);
  }

  async discard(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.handle.close();
    await rm(this.#paths.part, { force: true });
  }
}

export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
