// Describes the entries of a directory, and opens folders by their paths.
import { lstat, mkdir } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import type { Schemas } from '../messages.ts';
import { hasCode, isMissing } from '../errors.ts';
import { FileError } from './file-error.ts';
import { ownPrefix, stepsOf } from './file-path.ts';
import type { Folder } from './folder.ts';

export type FileEntry = Schemas['FileEntry'];

/** Maximum number of names in a directory that is listed. */
const maxNames = 200_000;

/** A name and the open directory that contains it. */
export interface Place {
  folder: Folder;
  name: string;
}

/** Runs the work in that directory and closes it. Opens the root again each time, because it may have been replaced. */
export async function within<T>(
  openRoot: () => Promise<Folder>,
  steps: readonly string[],
  work: (folder: Folder) => Promise<T>,
): Promise<T> {
  const folder = await walk(await openRoot(), steps);
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

/** Opens the directory at the end of the path and closes the directories on the way. */
export async function walk(root: Folder, steps: readonly string[]): Promise<Folder> {
  let folder = root;
  for (const step of steps) {
    try {
      const next = await folder.enter(step);
      await folder.close();
      folder = next;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }
  return folder;
}

/** Returns the directory at the end of the path, creating what is missing. Keeps `into` open. */
export async function makeFolders(into: Folder, steps: readonly string[]): Promise<Folder> {
  let folder = into;
  try {
    for (const step of steps) {
      await mkdir(folder.at(step), 0o755).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error;
      });
      const next = await folder.enter(step);
      if (folder !== into) await folder.close();
      folder = next;
    }
    return folder;
  } catch (error) {
    if (folder !== into) await folder.close();
    throw error;
  }
}

/** Splits a path into the steps of its parent directory and its name. */
export function placeOf(path: string): { parents: string[]; name: string } {
  const parents = stepsOf(path);
  const name = parents.pop();
  if (name === undefined) throw new FileError('invalid', 'The path is empty.');
  return { parents, name };
}

export async function entryOf({ folder, name }: Place): Promise<FileEntry> {
  return describe(name, await lstat(folder.at(name)));
}

export function describe(name: string, found: Stats): FileEntry {
  const kind = kindOf(found);
  return {
    name: name.toWellFormed(),
    kind,
    ...(kind === 'file' && { size: found.size }),
    modified_at: timeOf(found.mtimeMs),
  };
}

/** Returns the entries after that name in name order; `more` is true when others follow. */
export async function listed(
  folder: Folder,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ entries: FileEntry[]; more: boolean }> {
  const names: string[] = [];
  let seen = 0;
  for await (const name of folder.names()) {
    seen += 1;
    if (seen > maxNames) throw new FileError('too_large', `The directory has more than ${maxNames} entries.`);
    if (!name.toLowerCase().startsWith(ownPrefix) && (after === undefined || name > after)) names.push(name);
  }
  names.sort();
  const entries: FileEntry[] = [];
  for (const name of names.slice(0, limit)) {
    try {
      entries.push(await entryOf({ folder, name }));
    } catch (error) {
      if (!isMissing(error)) throw error; // removed since it was listed
    }
  }
  return { entries, more: names.length > limit };
}

function kindOf(found: Stats): FileEntry['kind'] {
  if (found.isSymbolicLink()) return 'symlink';
  if (found.isDirectory()) return 'directory';
  return found.isFile() ? 'file' : 'other';
}

/** A file system may hold any timestamp; the contract allows years of four digits. */
function timeOf(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), Date.parse('9999-12-30T00:00:00Z'))).toISOString();
}
