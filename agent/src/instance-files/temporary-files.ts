// Records unfinished files below an instance's root on disk, so that the next agent removes them.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { lstat, readFile, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceDurably } from '../state-files/durable-file.ts';
import { isMissing } from '../errors.ts';
import { within } from './entries.ts';
import { ownPrefix } from './file-path.ts';
import type { Folder } from './folder.ts';

/** Maximum number of directories that are open at once while a tree is removed. */
const maxOpen = 50;

/** A temporary name and its record. */
export interface Temporary {
  name: string;
  /** Called when the file is gone, or has been moved to its target. */
  forget: () => Promise<void>;
  /** Removes the file and its record. If that fails, the record stays for the next agent. */
  remove: (folder: Folder) => Promise<void>;
}

export class TemporaryFiles {
  readonly #directory: string;
  readonly #openRoot: () => Promise<Folder>;
  readonly #log: Logger;

  constructor(directory: string, openRoot: () => Promise<Folder>, log: Logger) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.#openRoot = openRoot;
    this.#log = log;
  }

  /** Reserves an unused name in the directory with this path, and records it for recovery. */
  async claim(parents: readonly string[]): Promise<Temporary> {
    const id = randomUUID();
    const name = `${ownPrefix}${id}`;
    const record = join(this.#directory, id);
    await replaceDurably(record, JSON.stringify([...parents, name]));
    const forget = () => rm(record, { force: true });
    const remove = async (folder: Folder) => {
      try {
        await removeTree(folder, name);
        await forget();
      } catch (error) {
        this.#log.warn({ err: error, id }, 'an incomplete file could not be removed');
      }
    };
    return { name, forget, remove };
  }

  /** Removes what an earlier agent left unfinished. */
  async recover(): Promise<void> {
    for (const id of readdirSync(this.#directory)) {
      try {
        const record = join(this.#directory, id);
        await this.#remove(record);
        await rm(record, { force: true });
      } catch (error) {
        this.#log.warn({ err: error, id }, 'an incomplete file could not be removed');
      }
    }
  }

  async #remove(record: string): Promise<void> {
    const steps = stepsIn(await readFile(record, 'utf8'));
    const name = steps?.at(-1);
    if (name?.startsWith(ownPrefix) !== true) return; // torn by a crash, before anything was created
    try {
      await within(this.#openRoot, steps?.slice(0, -1) ?? [], (folder) => removeTree(folder, name));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

function stepsIn(text: string): string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((step) => typeof step === 'string') ? value : null;
  } catch {
    return null;
  }
}

/** Removes the entry with all of its content, at any depth, even if read-only. Links are removed, not followed. */
export async function removeTree(folder: Folder, name: string): Promise<void> {
  if (await removeUnlessDirectory(folder, name)) return;
  const top = await folder.enter(name);
  try {
    // Each pass may have moved directories that were too deep up to the top.
    while (await removeAllIn(top, top));
  } finally {
    await top.close();
  }
  await rmdir(folder.at(name));
}

/** Returns whether anything was there. Directories nested more than 50 deep are moved to the top for another pass. */
async function removeAllIn(folder: Folder, top: Folder, depth = 1): Promise<boolean> {
  await folder.makeWritable();
  let hasFound = false;
  for await (const name of folder.names()) {
    hasFound = true;
    if (await removeUnlessDirectory(folder, name)) continue;
    const inner = await folder.enter(name);
    try {
      if (depth < maxOpen) await removeAllIn(inner, top, depth + 1);
      else await inner.makeWritable();
    } finally {
      await inner.close();
    }
    if (depth < maxOpen) await rmdir(folder.at(name));
    else await rename(folder.at(name), top.at(randomUUID()));
  }
  return hasFound;
}

/** Removes anything but a directory. Returns whether the name is gone. */
async function removeUnlessDirectory(folder: Folder, name: string): Promise<boolean> {
  try {
    if ((await lstat(folder.at(name))).isDirectory()) return false;
    await unlink(folder.at(name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return true;
}
