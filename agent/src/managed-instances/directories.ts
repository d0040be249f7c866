// Creates and removes the directories of instances created from templates, directly below the base directory.
import { lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { syncDirectory } from '../state-files/durable-file.ts';
import { hasCode, isMissing } from '../errors.ts';

/** Cannot clash with an instance, because no instance name begins with a dot. */
const removedPrefix = '.gantry-removed-';

export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
}

export class Directories {
  readonly #base: string;
  readonly #log: Logger;

  constructor(base: string, log: Logger) {
    this.#base = base;
    this.#log = log;
  }

  of(name: string): string {
    return join(this.#base, name);
  }

  /** Uses an existing directory. Refuses anything else with that name, especially a symbolic link. */
  async make(name: string): Promise<void> {
    await mkdir(this.#base, { recursive: true });
    const path = this.of(name);
    try {
      await mkdir(path, { mode: 0o750 });
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const isOwn =
      (await lstat(path)).isDirectory() && (await realpath(path)) === join(await realpath(this.#base), name);
    if (!isOwn) throw new DirectoryError(`${path} is not a separate directory.`);
    syncDirectory(this.#base);
  }

  /** Renames it atomically; `remove` deletes it later. Returns false when there is none. */
  async setAside(name: string, id: string): Promise<boolean> {
    try {
      await rename(this.of(name), this.#asideOf(id));
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    syncDirectory(this.#base);
    return true;
  }

  async putBack(name: string, id: string): Promise<void> {
    await rename(this.#asideOf(id), this.of(name));
  }

  /** Deletes the set-aside directories in the background, because it may take long. The next agent finishes it. */
  async remove(): Promise<void> {
    try {
      for (const name of await readdir(this.#base))
        if (name.startsWith(removedPrefix))
          await rm(join(this.#base, name), { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      if (!isMissing(error))
        this.#log.error({ directory: this.#base, err: error }, 'files of a removed instance remain');
    }
  }

  #asideOf(id: string): string {
    return join(this.#base, `${removedPrefix}${id}`);
  }
}
