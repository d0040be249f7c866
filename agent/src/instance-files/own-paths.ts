// Knows what on the host is the agent's own, such as its key and its token, and keeps file operations away from it.
import { readdir, realpath, stat } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { join, sep } from 'node:path';
import { isMissing } from '../system-error.ts';
import { FileError } from './file-error.ts';

/** What a file system's clock may lag behind this process, so that a newer change looks older. */
const clockLagMs = 60_000;

/** Every file of the agent's, by device and inode, at some moment after `startedAtMs`. */
interface Snapshot {
  startedAtMs: number;
  files: ReadonlySet<string>;
}

/** By identity, not by name: neither another spelling nor a hard link leads there. */
export class OwnPaths {
  readonly #paths: readonly string[];
  readonly #instanceRoots: readonly string[];
  #snapshot: Snapshot = { startedAtMs: -Infinity, files: new Set() };

  /** An instance's root stays accessible even if it lies in a directory of the agent's. */
  constructor(paths: readonly string[], instanceRoots: readonly string[] = []) {
    this.#paths = paths;
    this.#instanceRoots = instanceRoots;
  }

  /** Of an open file its own status decides, so that nothing can be swapped in after this. */
  async refuse(found: BigIntStats): Promise<void> {
    for (const path of this.#paths) {
      const own = await stat(path, { bigint: true }).catch(nothingIfMissing);
      if (own !== null && identityOf(own) === identityOf(found)) throw ownFile();
    }
    if (!found.isDirectory() && found.nlink > 1n) await this.#refuseLinked(found);
  }

  /** Refuses a directory that one of them is in. */
  async refuseWithin(directory: string): Promise<void> {
    for (const path of this.#paths) {
      const own = await realpath(path).catch(nothingIfMissing);
      if (own === directory || own?.startsWith(directory + sep) === true) throw ownFile();
    }
  }

  /**
   * Game servers have hard links too, by the thousand. Making or renaming a link changes the inode's `ctime`, so a file
   * that has not changed since the last snapshot needs no new one, unless the host's clock was set back meanwhile.
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

/** Adds the file, or every file below the directory. What its operator has linked elsewhere is the agent's too. */
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
