// Gives directories the modes that they had in a backup, or their own back, and lets a restoration work in them until then.
import type { Logger } from 'pino';
import { within } from '../instance-files/entries.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';

/** A directory that a restoration touches; where neither is known, there was none, or none is to be. */
export interface FolderMode {
  path: string;
  before?: number;
  after?: number;
}

/** With the bits that directories hand on to what is made in them. */
export const folderModeOf = (mode: number) => mode & 0o3777;

/** The owner may change what is in it; only such a directory can be moved elsewhere, too. */
export const isWritable = (mode: number) => (mode & 0o300) === 0o300;

export class FolderModes {
  readonly #files: InstanceFiles;
  readonly #log: Logger;

  constructor(files: InstanceFiles, log: Logger) {
    this.#files = files;
    this.#log = log;
  }

  /** Outermost first: nobody gets into a directory below one that is closed. */
  async makeWritable(folders: readonly FolderMode[]): Promise<void> {
    for (const { path, before } of byDepth(folders))
      if (before !== undefined && !isWritable(before)) await this.#change(path, before | 0o700);
  }

  /** Innermost first, for the same reason. Nothing else depends on it: what can't be changed is told and left. */
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
