// An open directory below an instance's root, in which names are looked up without following links.
import { constants } from 'node:fs';
import { chmod, lstat, open, opendir, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../errors.ts';
import { DiskRoom } from './disk-room.ts';
import { FileError } from './file-error.ts';
import type { OwnPaths } from './own-paths.ts';

/** Windows lacks these flags. It does not need them, because valid paths cannot name a device there. */
const noFollow = constants.O_NOFOLLOW ?? 0;
const nonBlocking = constants.O_NONBLOCK ?? 0;
const directoryOnly = constants.O_DIRECTORY ?? 0;

/** Whether names can be looked up relative to an open directory, even if its path changes meanwhile. */
export const canAnchor = process.platform === 'linux';

/**
 * On Linux every name is reached through the open directory itself (`/proc/self/fd/N/name`), one step at a time, so
 * that no process can replace a directory on the way with a link. On other systems each step's real path is compared
 * before and after.
 */
export class Folder {
  readonly #handle: FileHandle | null;
  readonly #path: string;
  readonly #own: OwnPaths;

  private constructor(handle: FileHandle | null, path: string, own: OwnPaths) {
    this.#handle = handle;
    this.#path = path;
    this.#own = own;
  }

  /** The root itself may be reached through links, because the host's configuration names it. */
  static async openRoot(path: string, own: OwnPaths, isAnchored = canAnchor): Promise<Folder> {
    const real = await realpath(path);
    return Folder.#open(real, real, own, isAnchored);
  }

  static async #open(at: string, path: string, own: OwnPaths, isAnchored: boolean): Promise<Folder> {
    const handle = isAnchored
      ? await open(at, constants.O_RDONLY | directoryOnly | noFollow | nonBlocking)
      : null;
    const folder = new Folder(handle, path, own);
    try {
      await own.refuse(
        handle === null ? await lstat(path, { bigint: true }) : await handle.stat({ bigint: true }),
      );
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /** The path of the open directory itself where the system has one, else its path when it was opened. */
  get #anchor(): string {
    return this.#handle === null ? this.#path : `/proc/self/fd/${this.#handle.fd}`;
  }

  /** Returns the path of the name, for calls that do not follow a link in its place. */
  at(name: string): string {
    return this.#handle === null ? join(this.#path, name) : `${this.#anchor}/${name}`;
  }

  /** Valid while the directory is open. */
  get room(): DiskRoom {
    return new DiskRoom(this.at('.'));
  }

  /** Returns the current path of the directory. */
  async realPath(): Promise<string> {
    return this.#handle === null ? this.#path : realpath(this.#anchor);
  }

  async enter(name: string): Promise<Folder> {
    const found = await lstat(this.at(name));
    if (found.isSymbolicLink()) throw linkOnTheWay();
    if (!found.isDirectory()) throw new FileError('wrong_type', `"${name}" is not a directory.`);
    const path = join(this.#path, name);
    if (this.#handle === null) await this.#refuseMoved(path);
    return Folder.#open(this.at(name), path, this.#own, this.#handle !== null);
  }

  /** Opens a regular file for reading. Refuses everything else. */
  async openFile(name: string): Promise<FileHandle> {
    const found = await lstat(this.at(name));
    if (found.isSymbolicLink()) throw new FileError('refused', 'It is a symbolic link.');
    if (found.isDirectory()) throw new FileError('wrong_type', 'It is a directory.');
    if (!found.isFile()) throw notRegular();
    const file = await open(this.at(name), constants.O_RDONLY | noFollow | nonBlocking);
    try {
      const opened = await file.stat({ bigint: true });
      if (!opened.isFile()) throw notRegular();
      await this.#own.refuse(opened);
      if (this.#handle === null) await this.#refuseMoved(join(this.#path, name));
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Creates a file; fails when the name exists. */
  async createFile(name: string): Promise<FileHandle> {
    const { O_RDWR, O_CREAT, O_EXCL } = constants;
    const file = await open(this.at(name), O_RDWR | O_CREAT | O_EXCL | noFollow, 0o644);
    if (this.#handle !== null) return file;
    try {
      await this.#refuseMoved(join(this.#path, name));
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Yields every name, in no particular order. */
  async *names(): AsyncGenerator<string> {
    for await (const { name } of await opendir(this.#anchor)) yield name;
  }

  /** Refuses a path that belongs to the agent, or a directory that contains one. */
  async refuseOwn(name: string): Promise<void> {
    const found = await lstat(this.at(name), { bigint: true }).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    });
    if (found === null) return;
    await this.#own.refuse(found);
    if (found.isDirectory()) await this.#own.refuseWithin(join(await this.realPath(), name));
  }

  async isOwn(name: string): Promise<boolean> {
    try {
      await this.refuseOwn(name);
      return false;
    } catch (error) {
      if (error instanceof FileError && error.code === 'refused') return true;
      throw error;
    }
  }

  /** Changes the mode of the directory itself. Does nothing on Windows. */
  async changeMode(mode: number): Promise<void> {
    if (process.platform === 'win32') return;
    if (this.#handle === null) await chmod(this.#path, mode);
    else await this.#handle.chmod(mode);
  }

  /** Makes the directory writable for its owner. A missing permission is ignored; the later removal then fails. */
  async makeWritable(): Promise<void> {
    const { mode } = this.#handle === null ? await lstat(this.#path) : await this.#handle.stat();
    if ((mode & 0o300) === 0o300) return;
    await this.changeMode((mode & 0o7777) | 0o700).catch((error: unknown) => {
      if (!hasCode(error, 'EPERM')) throw error;
    });
  }

  /** Makes renames in this directory durable across a power loss. */
  async sync(): Promise<void> {
    await this.#handle?.sync();
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #refuseMoved(path: string): Promise<void> {
    if (dirname(await realpath(path)) !== (await realpath(this.#path))) throw linkOnTheWay();
  }
}

const linkOnTheWay = () => new FileError('refused', 'The path leads through a symbolic link.');
const notRegular = () => new FileError('wrong_type', 'It is a device, a pipe or a socket.');
