// Keeps a reserve of disk space free, so that writes for users never block the agent's own writes.
import { statfs } from 'node:fs/promises';
import { FileError } from './file-error.ts';

/** 64 MiB. Without space, the agent cannot write its journal and a game server cannot save its world. */
const reservedBytes = 64 * 1024 * 1024;
/** Bytes written between two checks of the free space. */
const stretchBytes = 1024 * 1024;

/** Free space on the disk that holds this path. */
export class DiskRoom {
  readonly #path: string;
  #sinceLook = stretchBytes;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws unless this many bytes may be written. */
  async require(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#path);
    this.#sinceLook = 0;
    if (bavail * bsize >= bytes + reservedBytes) return;
    throw new FileError('disk_full', 'The disk of the host is full: the last 64 MiB of it are left free.');
  }

  /** Called before each part is written; checks the disk once per 1 MiB. */
  async take(bytes: number): Promise<void> {
    this.#sinceLook += bytes;
    if (this.#sinceLook >= stretchBytes) await this.require(bytes);
  }
}
