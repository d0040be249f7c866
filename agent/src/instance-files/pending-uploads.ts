// Uploads in a directory of the agent, until a command uses them.
import { open, readFile, readdir, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../errors.ts';
import { publishDurably } from '../state-files/durable-file.ts';
import type { Writable } from './content.ts';
import { DiskRoom } from './disk-room.ts';
import { describe, type FileEntry } from './entries.ts';
import { FileError } from './file-error.ts';
import type { Destination } from './transfers.ts';

/** Uploads expire after one hour. */
const keptMs = 3600_000;

interface Options {
  directory: string;
  /** Suffix of the names of complete uploads. */
  extension: string;
  /** Maximum number of pending uploads. */
  maxCount: number;
  /** The error text when there are too many. */
  tooMany: string;
}

/** Throws when the received content is not acceptable. */
type Check = (handle: FileHandle, size: number) => Promise<void>;

/** File names: `upload-ID.part`, then `upload-ID` with the extension. */
export class PendingUploads {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Opens a destination for an upload. `check` runs once it is complete; `name` is the name in its entry. */
  async receive(id: string, name: string, check?: Check): Promise<Destination> {
    const { directory, maxCount, tooMany } = this.#options;
    if ((await this.dropOld()) >= maxCount) throw new FileError('busy', tooMany);
    const room = new DiskRoom(directory);
    await room.require(0);
    const part = join(directory, `upload-${id}.part`);
    const writable = { handle: await open(part, 'wx+', 0o600), room };
    return new ArrivingFile(writable, { part, whole: this.#whole(id), name }, check);
  }

  /** Returns null once it is no longer kept. */
  read(id: string): Promise<Buffer | null> {
    return readFile(this.#whole(id.toLowerCase())).catch(nullIfMissing);
  }

  async drop(id: string): Promise<void> {
    await rm(this.#whole(id.toLowerCase()), { force: true });
  }

  /** Removes expired uploads and returns how many are left. */
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
    await publishDurably(this.#paths.part, this.#paths.whole);
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
