// Leaves a reserve of the host's disks free, so that what is written for others never keeps the agent itself from writing.
import { statfs } from 'node:fs/promises';
import { FileError } from './file-error.ts';

/** An agent that can't write its journal is of no use, and a game server that can't save loses what was played. */
const reservedBytes = 64 * 1024 * 1024;
/** How much is written between two looks. */
const stretchBytes = 1024 * 1024;

/** The room on the disk that this path is on. */
export class DiskRoom {
  readonly #path: string;
  #sinceLook = stretchBytes;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws unless so much may be written there. */
  async require(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#path);
    this.#sinceLook = 0;
    if (bavail * bsize >= bytes + reservedBytes) return;
    throw new FileError('disk_full', 'The disk of the host is full: the last 64 MiB of it are left free.');
  }

  /** For every part before it is written; looks now and then. */
  async take(bytes: number): Promise<void> {
    this.#sinceLook += bytes;
    if (this.#sinceLook >= stretchBytes) await this.require(bytes);
  }
}
