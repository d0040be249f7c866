// Runs the file operations of one instance, all of them below the instance's root.
import { createHash } from 'node:crypto';
import { lstat, mkdir, rename, rmdir, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import { hasCode, isMissing } from '../errors.ts';
import { readUpTo, writeWhole } from './content.ts';
import { entryOf, listed, makeFolders, placeOf, within } from './entries.ts';
import type { FileEntry } from './entries.ts';
import { FileError } from './file-error.ts';
import { folderStepsOf } from './file-path.ts';
import { Folder } from './folder.ts';
import type { OwnPaths } from './own-paths.ts';
import { moveWithoutReplacing, StagedFile } from './staged-file.ts';
import { removeTree, TemporaryFiles } from './temporary-files.ts';

/** Maximum size of a text that is read or written in one request. */
export const maxTextBytes = 256 * 1024;

export interface InstanceFilesOptions {
  root: string;
  own: OwnPaths;
  /** Directory for the records of unfinished operations. */
  temporaryDirectory: string;
  log: Logger;
}

export class InstanceFiles {
  readonly temporaries: TemporaryFiles;
  readonly openRoot: () => Promise<Folder>;
  readonly #log: Logger;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ root, own, temporaryDirectory, log }: InstanceFilesOptions) {
    this.openRoot = () => Folder.openRoot(root, own);
    this.temporaries = new TemporaryFiles(temporaryDirectory, this.openRoot, log);
    this.#log = log;
  }

  list(path: string, limit: number, after?: string): Promise<{ entries: FileEntry[]; more: boolean }> {
    return within(this.openRoot, folderStepsOf(path), (folder) => listed(folder, { after, limit }));
  }

  stat(path: string): Promise<FileEntry> {
    return this.#at(path, async (folder, name) => {
      await folder.refuseOwn(name);
      return entryOf({ folder, name });
    });
  }

  open(path: string): Promise<FileHandle> {
    return this.#at(path, (folder, name) => folder.openFile(name));
  }

  async read(path: string): Promise<{ entry: FileEntry; content: Buffer; sha256: string }> {
    const { name } = placeOf(path);
    const file = await this.open(path);
    try {
      const content = await readUpTo(file, maxTextBytes);
      if (content === null) throw tooLarge();
      const { mtime } = await file.stat();
      const entry = {
        name,
        kind: 'file' as const,
        size: content.byteLength,
        modified_at: mtime.toISOString(),
      };
      return { entry, content, sha256: hashOf(content) };
    } finally {
      await file.close();
    }
  }

  /** With `present`, overwrites only a content that has this hash. */
  async write(
    path: string,
    content: Buffer,
    present?: string,
  ): Promise<{ entry: FileEntry; sha256: string }> {
    if (content.byteLength > maxTextBytes) throw tooLarge();
    const staged = await this.stage(path, true);
    try {
      await writeWhole(staged, content, 0);
      const entry = await this.exclusively(async () => {
        if (present !== undefined && (await presentHash(staged)) !== present)
          throw new FileError('changed', 'The content has changed.');
        return staged.publish(true);
      });
      return { entry, sha256: hashOf(content) };
    } finally {
      await staged.discard();
    }
  }

  stage(path: string, isReplacing: boolean): Promise<StagedFile> {
    return StagedFile.create(path, isReplacing, this.openRoot, this.temporaries);
  }

  /** Creates missing parent directories too. */
  makeDirectory(path: string): Promise<FileEntry> {
    const { parents, name } = placeOf(path);
    return this.exclusively(() =>
      within(this.openRoot, [], async (root) => {
        const folder = await makeFolders(root, parents);
        try {
          await mkdir(folder.at(name), 0o755).catch((error: unknown) => {
            if (!hasCode(error, 'EEXIST')) throw error;
          });
          await folder.refuseOwn(name);
          const entry = await entryOf({ folder, name });
          if (entry.kind === 'symlink')
            throw new FileError('refused', 'There is a symbolic link at that path.');
          if (entry.kind !== 'directory')
            throw new FileError('exists', 'A file already exists at that path.');
          return entry;
        } finally {
          if (folder !== root) await folder.close();
        }
      }),
    );
  }

  rename(path: string, newPath: string, isReplacing: boolean): Promise<FileEntry> {
    const to = placeOf(newPath);
    return this.exclusively(() =>
      this.#at(path, (from, oldName) =>
        within(this.openRoot, to.parents, async (folder) => {
          const { name } = to;
          await from.refuseOwn(oldName);
          await folder.refuseOwn(name);
          const isFile = (await lstat(from.at(oldName))).isFile();
          const target = await lstat(folder.at(name)).catch(nullIfMissing);
          if (target !== null && !target.isFile())
            throw new FileError('wrong_type', 'The entry at the new path is not a file.');
          if (target !== null && !isReplacing)
            throw new FileError('exists', 'A file already exists at the new path.');
          if (isFile && !isReplacing) await moveWithoutReplacing(from.at(oldName), folder.at(name));
          else await rename(from.at(oldName), folder.at(name));
          await from.sync();
          await folder.sync();
          return entryOf({ folder, name });
        }),
      ),
    );
  }

  /**
   * A non-empty directory is first renamed to a temporary name and then removed in the background. `admit` may throw,
   * and is called last before the deletion.
   */
  delete(
    path: string,
    isRecursive: boolean,
    admit: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { parents, name } = placeOf(path);
    return this.exclusively(() =>
      within(this.openRoot, parents, async (folder) => {
        await folder.refuseOwn(name);
        const found = await lstat(folder.at(name));
        await admit();
        if (!found.isDirectory()) await unlink(folder.at(name));
        else if (isRecursive) await this.#moveAway(folder, parents, name);
        else await rmdir(folder.at(name));
        await folder.sync();
      }),
    );
  }

  /** Runs operations one after another, so that what an operation has checked still holds when it acts. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined); // the caller gets the error
    return turn;
  }

  async #moveAway(folder: Folder, parents: string[], name: string): Promise<void> {
    const temporary = await this.temporaries.claim(parents).catch((error: unknown) => {
      if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) return null;
      throw error;
    });
    // Without space for a record, the tree is removed directly, because the user is probably deleting to free space.
    if (temporary === null) return removeTree(folder, name);
    await rename(folder.at(name), folder.at(temporary.name)).catch(async (error: unknown) => {
      await temporary.forget();
      throw error;
    });
    within(this.openRoot, parents, (again) => temporary.remove(again)).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'a deleted directory could not be removed completely'),
    );
  }

  #at<T>(path: string, work: (folder: Folder, name: string) => Promise<T>): Promise<T> {
    const { parents, name } = placeOf(path);
    return within(this.openRoot, parents, (folder) => work(folder, name));
  }
}

export const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

const tooLarge = () =>
  new FileError('too_large', `The file has more than ${maxTextBytes / 1024} KiB; transfer it instead.`);

/** Returns the hash of the file to be replaced; null when there is none. */
async function presentHash(staged: StagedFile): Promise<string | null> {
  const file = await staged.openPresent().catch(nullIfMissing);
  if (file === null) return null;
  try {
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ start: 0, autoClose: false }))
      hash.update(chunk as Buffer);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
