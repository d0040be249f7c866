// Identifies the agent's own files, such as its key and its token, and keeps file operations away from them.
import { readdir, realpath, stat } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { join, sep } from 'node:path';
import { isMissing } from '../errors.ts';
import { FileError } from './file-error.ts';

/** A file system's clock may lag behind this process by up to 60 s, so that a newer change looks older. */
const clockLagMs = 60_000;

/** All of the agent's files, by device and inode, at some time after `startedAtMs`. */
interface Snapshot {
  startedAtMs: number;
  files: ReadonlySet<string>;
}

/** Compares identities, not names, so neither another spelling nor a hard link gives access. */
export class OwnPaths {
  readonly #paths: readonly string[];
  readonly #instanceRoots: readonly string[];
  #snapshot: Snapshot = { startedAtMs: -Infinity, files: new Set() };

  /** An instance's root stays accessible even if it lies in a directory of the agent's. */
  constructor(paths: readonly string[], instanceRoots: readonly string[] = []) {
    this.#paths = paths;
    this.#instanceRoots = instanceRoots;
  }

  /** For an open file, uses the status of its handle, so that the file cannot be swapped after this check. */
  async refuse(found: BigIntStats): Promise<void> {
    for (const path of this.#paths) {
      const own = await stat(path, { bigint: true }).catch(nothingIfMissing);
      if (own !== null && identityOf(own) === identityOf(found)) throw ownFile();
    }
    if (!found.isDirectory() && found.nlink > 1n) await this.#refuseLinked(found);
  }

  /** Refuses a directory that contains one of the agent's paths. */
  async refuseWithin(directory: string): Promise<void> {
    for (const path of this.#paths) {
      const own = await realpath(path).catch(nothingIfMissing);
      if (own === directory || own?.startsWith(directory + sep) === true) throw ownFile();
    }
  }

  /**
   * Game servers have thousands of hard links too. Making or renaming a link changes the inode's `ctime`, so a file
   * that has not changed since the last snapshot needs no new snapshot, unless the host's clock was set back.
   */
  async #refuseLinked(found: BigIntStats): Promise<void> {
    const { startedAtMs } = this.#snapshot;
    if (Number(found.ctimeMs) >= startedAtMs - clockLagMs || Date.now() < startedAtMs)
      this.#snapshot = await this.#takeSnapshot();
    if (this.#snapshot.files.has(identityOf(found))) throw ownFile();
  }

  async #takeSnapshot(): Promise<Snapshot> {
    const startedAtMs = Date.now();
    const files = new Set<string>();
    const entered = new Set<string>();
    for (const root of this.#instanceRoots) {
      const found = await stat(root, { bigint: true }).catch(nothingIfMissing);
      if (found !== null) entered.add(identityOf(found));
    }
    for (const path of this.#paths) await collect(path, files, entered);
    return { startedAtMs, files };
  }
}

/** Adds the file, or every file below the directory. Files linked from there count as the agent's too. */
async function collect(path: string, files: Set<string>, entered: Set<string>): Promise<void> {
  const found = await stat(path, { bigint: true }).catch(nothingIfMissing);
  if (found === null) return;
  const identity = identityOf(found);
  if (!found.isDirectory()) {
    files.add(identity);
    return;
  }
  if (entered.has(identity)) return;
  entered.add(identity);
  const names = await readdir(path).catch(nothingIfMissing);
  for (const name of names ?? []) await collect(join(path, name), files, entered);
}

const identityOf = ({ dev, ino }: BigIntStats) => `${dev}:${ino}`;

function nothingIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

const ownFile = () => new FileError('refused', 'It is the agent’s own.');
