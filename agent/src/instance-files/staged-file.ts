// A file that is written under a temporary name next to its target, and moved there once it is complete and synced.
import { link, lstat, rename, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { hasCode, isMissing } from '../errors.ts';
import type { Writable } from './content.ts';
import type { DiskRoom } from './disk-room.ts';
import { describe, placeOf, walk } from './entries.ts';
import type { FileEntry } from './entries.ts';
import { FileError } from './file-error.ts';
import type { Folder } from './folder.ts';
import { removeTree } from './temporary-files.ts';
import type { Temporary, TemporaryFiles } from './temporary-files.ts';

export class StagedFile implements Writable {
  readonly handle: FileHandle;
  readonly room: DiskRoom;
  readonly #folder: Folder;
  readonly #name: string;
  readonly #temporary: Temporary;
  #isOver = false;

  private constructor(handle: FileHandle, folder: Folder, name: string, temporary: Temporary) {
    this.handle = handle;
    this.room = folder.room;
    this.#folder = folder;
    this.#name = name;
    this.#temporary = temporary;
  }

  /** Refuses at once a target that could not be replaced, and a full disk. */
  static async create(
    path: string,
    isReplacing: boolean,
    openRoot: () => Promise<Folder>,
    temporaries: TemporaryFiles,
  ): Promise<StagedFile> {
    const { parents, name } = placeOf(path);
    const folder = await walk(await openRoot(), parents);
    try {
      await refuseTarget(folder, name, isReplacing);
      await folder.room.require(0);
      const temporary = await temporaries.claim(parents);
      try {
        return new StagedFile(await folder.createFile(temporary.name), folder, name, temporary);
      } catch (error) {
        await temporary.forget();
        throw error;
      }
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /** Opens the file that is to be replaced. Throws ENOENT when there is none. */
  openPresent(): Promise<FileHandle> {
    return this.#folder.openFile(this.#name);
  }

  /** Moves the file to its target atomically: readers see either the old or the new file. */
  async publish(isReplacing: boolean): Promise<FileEntry> {
    const { handle } = this;
    const replaced = await refuseTarget(this.#folder, this.#name, isReplacing);
    const [from, to] = [this.#folder.at(this.#temporary.name), this.#folder.at(this.#name)];
    if (replaced !== null) await handle.chmod(replaced & 0o777);
    await handle.sync();
    if (!(await this.#isAt(from))) throw swapped();
    if (isReplacing) await rename(from, to);
    else await moveWithoutReplacing(from, to);
    if (!(await this.#isAt(to))) {
      await this.#removeUnlessFile();
      throw swapped();
    }
    this.#isOver = true;
    const entry = describe(this.#name, await handle.stat());
    await handle.close();
    await this.#folder.sync();
    await this.#folder.close();
    await this.#temporary.forget();
    return entry;
  }

  async discard(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.handle.close();
    await this.#temporary.remove(this.#folder);
    await this.#folder.close();
  }

  /** Another process with write access may have put a different file under this name. */
  async #isAt(path: string): Promise<boolean> {
    const found = await lstat(path, { bigint: true });
    const own = await this.handle.stat({ bigint: true });
    return found.dev === own.dev && found.ino === own.ino;
  }

  /**
   * Leaves a regular file, because the game may have written it. Removes a link or special file that was swapped in.
   */
  async #removeUnlessFile(): Promise<void> {
    if (!(await lstat(this.#folder.at(this.#name))).isFile()) await removeTree(this.#folder, this.#name);
  }
}

const swapped = () => new FileError('refused', 'The written file was replaced by another.');

/** Returns the mode of the regular file at the target; null when there is none. */
async function refuseTarget(folder: Folder, name: string, isReplacing: boolean): Promise<number | null> {
  await folder.refuseOwn(name);
  const found = await lstat(folder.at(name)).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (found === null) return null;
  if (found.isSymbolicLink()) throw new FileError('refused', 'There is a symbolic link at that path.');
  if (!found.isFile()) throw new FileError('wrong_type', 'The entry at that path is not a file.');
  if (!isReplacing) throw new FileError('exists', 'A file already exists at that path.');
  return found.mode;
}

/** A hard link never overwrites. On file systems without links, the target is checked just before the rename. */
export async function moveWithoutReplacing(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!hasCode(error, 'EPERM') && !hasCode(error, 'ENOTSUP') && !hasCode(error, 'EMLINK')) throw error;
    const isThere = await lstat(to).then(
      () => true,
      () => false,
    );
    if (isThere) throw new FileError('exists', 'An entry already exists at that path.');
    await rename(from, to);
    return;
  }
  await unlink(from);
}
