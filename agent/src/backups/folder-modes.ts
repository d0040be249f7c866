// Sets directory modes after a restoration: those of the backup, or the former ones if it failed.
import type { Logger } from 'pino';
import { within } from '../instance-files/entries.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';

/** A directory that a restoration touches. A missing mode means that the directory did not or will not exist. */
export interface FolderMode {
  path: string;
  before?: number;
  after?: number;
}

/** Includes the setgid bit, which new entries inherit, and the sticky bit. */
export const folderModeOf = (mode: number) => mode & 0o3777;

/** Whether the owner may change its content. Moving a directory requires this too. */
export const isWritable = (mode: number) => (mode & 0o300) === 0o300;

export class FolderModes {
  readonly #files: InstanceFiles;
  readonly #log: Logger;

  constructor(files: InstanceFiles, log: Logger) {
    this.#files = files;
    this.#log = log;
  }

  /** Outermost first, because a directory below a closed one cannot be entered. */
  async makeWritable(folders: readonly FolderMode[]): Promise<void> {
    for (const { path, before } of byDepth(folders))
      if (before !== undefined && !isWritable(before)) await this.#change(path, before | 0o700);
  }

  /** Innermost first, for the same reason. A mode that cannot be changed is logged; nothing else depends on it. */
  async settle(folders: readonly FolderMode[], isRestored: boolean): Promise<void> {
    for (const { path, before, after } of byDepth(folders).toReversed()) {
      const mode = isRestored ? after : before;
      if (mode !== undefined) await this.#change(path, mode);
    }
  }

  async #change(path: string, mode: number): Promise<void> {
    try {
      await within(this.#files.openRoot, path.split('/'), (folder) => folder.changeMode(mode));
    } catch (error) {
      this.#log.warn({ err: error, path }, 'the mode of a directory could not be changed');
    }
  }
}

const byDepth = (folders: readonly FolderMode[]) =>
  folders.toSorted((a, b) => a.path.split('/').length - b.path.split('/').length);
