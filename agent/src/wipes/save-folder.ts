// Handles the save folder of one Rust server: which files a wipe deletes, and how they are set aside and restored.
import type { Stats } from 'node:fs';
import { lstat, mkdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { InstanceConfig } from '../config.ts';
import { walk, within } from '../instance-files/entries.ts';
import { FileError } from '../instance-files/file-error.ts';
import { ownPrefix, stepsOf } from '../instance-files/file-path.ts';
import type { Folder } from '../instance-files/folder.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { removeTree } from '../instance-files/temporary-files.ts';
import { valueOf } from '../supervisor/launch-settings.ts';
import { hasCode, isMissing } from '../errors.ts';
import type { Schemas } from '../messages.ts';

export interface WipeFile {
  name: string;
  size: number;
}

const defaultIdentity = 'my_server_identity';
/** No real server has more; reports and plans are limited to the same number. */
const maxFiles = 1_000;

export class SaveFolder {
  /** Relative to the instance's root. */
  readonly path: string;
  readonly #steps: string[];
  readonly #files: InstanceFiles;

  private constructor(path: string, files: InstanceFiles) {
    this.path = path;
    this.#steps = stepsOf(path);
    this.#files = files;
  }

  /** Throws a FileError when the folder is not below the instance's root. */
  static of({ args, cwd, root }: InstanceConfig, files: InstanceFiles): SaveFolder {
    const identity = valueOf(args, 'server.identity') ?? defaultIdentity;
    stepsOf(identity);
    if (identity.includes('/'))
      throw new FileError('invalid', 'The server’s identity is not a valid directory name.');
    const path = relative(root, join(cwd, 'server', identity)).replaceAll('\\', '/');
    return new SaveFolder(path, files);
  }

  pathOf(name: string): string {
    return `${this.path}/${name}`;
  }

  /** Returns the files that a wipe of this kind would delete now, by name. Empty when there is no save folder yet. */
  async plan(kind: WipeKind): Promise<WipeFile[]> {
    const folder = await this.#openIfThere();
    if (folder === null) return [];
    try {
      return await filesIn(folder, kind);
    } finally {
      await folder.close();
    }
  }

  /** Moves the files out of the server's sight. Idempotent: a second call continues with the remaining files. */
  setAside(wipeId: string, names: readonly string[]): Promise<void> {
    if (names.length === 0) return Promise.resolve();
    return this.#files.exclusively(() =>
      this.#within(async (folder) => {
        await mkdir(folder.at(asideOf(wipeId)), 0o700).catch((error: unknown) => {
          if (!hasCode(error, 'EEXIST')) throw error;
        });
        const aside = await folder.enter(asideOf(wipeId));
        try {
          for (const name of names) await setAside(folder, aside, name);
          await aside.sync();
          await folder.sync();
        } finally {
          await aside.close();
        }
      }),
    );
  }

  /**
   * Moves every file back over any replacement, and removes the files that a start has created since. When no folder is
   * set aside and no file is missing, it changes nothing, because the server may have been played on since. Returns the
   * names that are still missing.
   */
  putBack(wipeId: string, names: readonly string[], madeSince: WipeKind | null): Promise<string[]> {
    if (names.length === 0 && madeSince === null) return Promise.resolve([]);
    return this.#files.exclusively(() =>
      this.#within(async (folder) => {
        const isAside = await isThere(folder, asideOf(wipeId));
        if (names.length > 0 && !isAside && (await missingOf(folder, names)).length === 0) return [];
        const made = madeSince === null ? [] : await filesIn(folder, madeSince);
        for (const { name } of made)
          if (!names.includes(name) && (await isThere(folder, name))) await unlink(folder.at(name));
        await moveBack(folder, asideOf(wipeId));
        await folder.sync();
        return missingOf(folder, names);
      }),
    );
  }

  async isSetAside(wipeId: string): Promise<boolean> {
    return this.#within((folder) => isThere(folder, asideOf(wipeId)));
  }

  /** Moves the set-aside files to a folder that users can reach and returns its path, or null when there are none. */
  reveal(wipeId: string): Promise<string | null> {
    return this.#files.exclusively(async () => {
      const folder = await this.#openIfThere();
      if (folder === null) return null;
      const name = `wipe-${wipeId}`;
      try {
        if (await isThere(folder, asideOf(wipeId))) await rename(folder.at(asideOf(wipeId)), folder.at(name));
        await folder.sync();
        return (await isThere(folder, name)) ? this.pathOf(name) : null;
      } finally {
        await folder.close();
      }
    });
  }

  discard(wipeId: string): Promise<void> {
    return this.#files.exclusively(async () => {
      try {
        await this.#within((folder) => removeTree(folder, asideOf(wipeId)));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    });
  }

  /** Returns where the set-aside files are while they cannot be moved to a reachable folder. */
  asidePath(wipeId: string): string {
    return this.pathOf(asideOf(wipeId));
  }

  async #openIfThere(): Promise<Folder | null> {
    try {
      return await walk(await this.#files.openRoot(), this.#steps);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #within<T>(work: (folder: Folder) => Promise<T>): Promise<T> {
    return within(this.#files.openRoot, this.#steps, work);
  }
}

/** Uses the agent's own name prefix, so platform users can neither see nor reach the folder. */
const asideOf = (wipeId: string) => `${ownPrefix}wipe-${wipeId}`;

async function filesIn(folder: Folder, kind: WipeKind): Promise<WipeFile[]> {
  const files: WipeFile[] = [];
  for await (const name of folder.names()) {
    if (!isWiped(kind, name)) continue;
    const found = await statIfThere(folder, name);
    if (found?.isFile() !== true || (await folder.isOwn(name))) continue;
    files.push({ name, size: found.size });
    if (files.length > maxFiles)
      throw new FileError('too_large', `More than ${maxFiles} files would be deleted.`);
  }
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Keeps the copy that was set aside first, because it is the original that may have to be restored. */
async function setAside(folder: Folder, aside: Folder, name: string): Promise<void> {
  if (!(await isThere(folder, name))) return;
  await folder.refuseOwn(name);
  if (await isThere(aside, name)) await unlink(folder.at(name));
  else await rename(folder.at(name), aside.at(name));
}

async function moveBack(folder: Folder, asideName: string): Promise<void> {
  if (!(await isThere(folder, asideName))) return;
  const aside = await folder.enter(asideName);
  try {
    const names: string[] = [];
    for await (const name of aside.names()) names.push(name);
    for (const name of names) await rename(aside.at(name), folder.at(name));
  } finally {
    await aside.close();
  }
  await rmdir(folder.at(asideName));
}

async function missingOf(folder: Folder, names: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const name of names) if (!(await isThere(folder, name))) missing.push(name);
  return missing;
}

async function isThere(folder: Folder, name: string): Promise<boolean> {
  return (await statIfThere(folder, name)) !== null;
}

/** Also returns null for a file that was deleted after it was listed. */
async function statIfThere(folder: Folder, name: string): Promise<Stats | null> {
  try {
    return await lstat(folder.at(name));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export type WipeKind = Schemas['WipeKind'];

/** Matches a database of this name with any data version, and the side files that SQLite keeps next to it. */
const database = (name: string) => new RegExp(`^${name}\\.\\d+\\.db(-wal|-shm|-journal)?$`);

const ofMap = [
  /^[^/]+\.map$/,
  /^[^/]+\.sav(\.\d+)?$/,
  database('player\\.states'),
  database('player\\.deaths'),
  database('sv\\.files'),
];
const ofBlueprints = [database('player\\.blueprints')];
const ofPeople = [database('player\\.identities'), database('relationship'), database('clans')];

const patterns: Readonly<Record<WipeKind, readonly RegExp[]>> = {
  map: ofMap,
  blueprints: ofBlueprints,
  full: [...ofMap, ...ofBlueprints, ...ofPeople],
};

export function isWiped(kind: WipeKind, name: string): boolean {
  return patterns[kind].some((pattern) => pattern.test(name));
}
