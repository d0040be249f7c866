// Writes plugin files and restores the former ones; never overwrites a file that has changed in between.
import { readUpTo } from '../instance-files/content.ts';
import { asFileError, FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { hashOf } from '../instance-files/instance-files.ts';
import { isMissing } from '../errors.ts';
import type { RecordedFile } from './application-record.ts';
import { maxPluginFileBytes } from './plugin-file-store.ts';

/** Files that were not restored: `left` permanently, because they changed; `stuck` for now, with the reason. */
export interface RollbackResult {
  left: string[];
  stuck: string[];
}

/** Adds the path to the error, because a command may concern many files. */
async function withPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = asFileError(error);
    throw message.includes(path) ? error : new FileError(code, `${path}: ${message}`, { cause: error });
  }
}

export class GuardedFiles {
  readonly #files: InstanceFiles;

  constructor(files: InstanceFiles) {
    this.#files = files;
  }

  /** Returns null when there is no such file. */
  read(path: string): Promise<Buffer | null> {
    return withPath(path, () => this.#read(path));
  }

  async #read(path: string): Promise<Buffer | null> {
    const file = await this.#files.open(path).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (file === null) return null;
    try {
      const content = await readUpTo(file, maxPluginFileBytes);
      if (content === null) throw new FileError('too_large', `${path} has more than 16 MiB.`);
      return content;
    } finally {
      await file.close();
    }
  }

  async hash(path: string): Promise<string | null> {
    const content = await this.read(path);
    return content === null ? null : hashOf(content);
  }

  /** Returns whether every file still has the content that was read before. */
  async areUnchanged(files: readonly RecordedFile[]): Promise<boolean> {
    for (const { path, present } of files) if ((await this.hash(path)) !== present) return false;
    return true;
  }

  /** Writes only over the expected content, and verifies the written file by reading it back. */
  put(file: RecordedFile, content: Buffer): Promise<void> {
    return withPath(file.path, () => this.#put(file, content));
  }

  async #put({ path, sha256, present }: RecordedFile, content: Buffer): Promise<void> {
    await this.#files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    const staged = await this.#files.stage(path, true);
    try {
      await staged.handle.writeFile(content);
      await this.#files.exclusively(async () => {
        if ((await this.hash(path)) !== present)
          throw new FileError('changed', `${path} has changed meanwhile.`);
        await staged.publish(true);
      });
    } finally {
      await staged.discard();
    }
    if ((await this.hash(path)) !== sha256)
      throw new FileError('changed', `${path} is not what was written to it.`);
  }

  /** Restores the former files. A file that has changed since is left alone; a failed restore may be retried. */
  async rollBack(
    files: readonly RecordedFile[],
    formerOf: (number: number) => Promise<Buffer>,
    isPluginOwn: boolean,
  ): Promise<RollbackResult> {
    const taken: RollbackResult = { left: [], stuck: [] };
    for (const [number, file] of files.entries()) {
      try {
        const isBack = await withPath(file.path, () =>
          this.#rollBackOne(file, () => formerOf(number), isPluginOwn),
        );
        if (!isBack) taken.left.push(file.path);
      } catch (error) {
        taken.stuck.push(asFileError(error).message);
      }
    }
    return taken;
  }

  async #rollBackOne(
    { path, sha256, present }: RecordedFile,
    former: () => Promise<Buffer>,
    isPluginOwn: boolean,
  ): Promise<boolean> {
    const found = await this.hash(path);
    if (found === present) return true;
    // A plugin that fails to load may have rewritten its own file.
    if (found !== sha256 && !isPluginOwn) return false;
    if (present === null) await this.#files.delete(path, false);
    else {
      const content = await former();
      if (hashOf(content) !== present)
        throw new FileError('failed', 'The stored copy of the plugin is damaged.');
      await this.put({ path, sha256: present, present: found }, content);
    }
    return true;
  }
}
