// Computes which files and directories must be moved to restore a backup.
import { lstat } from 'node:fs/promises';
import type { Folder } from '../instance-files/folder.ts';
import { isMissing } from '../errors.ts';
import { folderModeOf, isWritable } from './folder-modes.ts';
import type { FolderMode } from './folder-modes.ts';
import { isNameForAll, isSelected, leadsToSelected } from './contents.ts';

/** A path to exchange: the present entry is moved aside, and the new one, if any, takes its place. */
export interface Swap {
  path: string;
  isNew: boolean;
}

/** The steps, in this order. */
export interface Plan {
  swaps: Swap[];
  /** Directories with their former and future modes. */
  folders: FolderMode[];
}

export interface Selection {
  /** The paths that the backup covers; undefined means everything. */
  paths: readonly string[] | undefined;
  /** Whether entries that were added after the backup are removed. */
  isRemovingLater: boolean;
}

/** A plan in progress and its inputs. */
interface Planning extends Plan {
  selection: Selection;
  /** Modes of the directories in the backup. */
  modes: Map<string, number>;
}

export async function plan(
  staging: Folder,
  root: Folder,
  selection: Selection,
  modes: ReadonlyMap<string, number>,
): Promise<Plan> {
  const planning: Planning = { selection, modes: new Map(modes), swaps: [], folders: [] };
  const fresh = await staging.enter('new');
  try {
    await compare(fresh, root, '', planning);
  } finally {
    await fresh.close();
  }
  const { swaps, folders } = planning;
  for (const [path, after] of planning.modes) folders.push({ path, after });
  return { swaps, folders };
}

/** Directories on both sides stay, and their contents are compared. */
async function compare(fresh: Folder | null, present: Folder, path: string, found: Planning): Promise<void> {
  const freshNames = new Set(fresh === null ? [] : await namesIn(fresh));
  for (const name of freshNames) {
    await present.refuseOwn(name);
    const isFolder = (await isDirectory(fresh, name)) && (await isDirectory(present, name));
    if (isFolder) {
      await noteStaying(present, name, path + name, found);
      await compareInner(fresh, present, name, path, found);
    } else await noteSwap(present, name, { path: path + name, isNew: true }, found);
  }
  if (!found.selection.isRemovingLater) return;
  const { paths } = found.selection;
  for (const name of await namesIn(present)) {
    if (freshNames.has(name) || !isNameForAll(name) || (await present.isOwn(name))) continue;
    if (isSelected(path + name, paths)) {
      if (await isFileOrDirectory(present, name))
        await noteSwap(present, name, { path: path + name, isNew: false }, found);
    } else if (leadsToSelected(path + name, paths) && (await isDirectory(present, name))) {
      await noteStaying(present, name, path + name, found);
      await compareInner(null, present, name, path, found);
    }
  }
}

/** Records a directory on both sides. Its mode becomes that of the backup, if the backup has one. */
async function noteStaying(present: Folder, name: string, path: string, found: Planning): Promise<void> {
  const before = folderModeOf((await lstat(present.at(name))).mode);
  const after = found.modes.get(path) ?? before;
  found.modes.delete(path);
  if (before !== after || !isWritable(before)) found.folders.push({ path, before, after });
}

async function noteSwap(present: Folder, name: string, swap: Swap, found: Planning): Promise<void> {
  found.swaps.push(swap);
  const going = await lstat(present.at(name)).catch(nullIfMissing);
  if (going?.isDirectory() === true && !isWritable(going.mode))
    found.folders.push({ path: swap.path, before: folderModeOf(going.mode) });
}

async function compareInner(
  fresh: Folder | null,
  present: Folder,
  name: string,
  path: string,
  found: Planning,
): Promise<void> {
  const innerFresh = fresh === null ? null : await fresh.enter(name);
  try {
    const innerPresent = await present.enter(name);
    try {
      await compare(innerFresh, innerPresent, `${path}${name}/`, found);
    } finally {
      await innerPresent.close();
    }
  } finally {
    await innerFresh?.close();
  }
}

async function namesIn(folder: Folder): Promise<string[]> {
  const names: string[] = [];
  for await (const name of folder.names()) names.push(name);
  return names.sort();
}

async function isDirectory(folder: Folder | null, name: string): Promise<boolean> {
  const found = folder === null ? null : await lstat(folder.at(name)).catch(nullIfMissing);
  return found?.isDirectory() === true;
}

async function isFileOrDirectory(folder: Folder, name: string): Promise<boolean> {
  const found = await lstat(folder.at(name)).catch(nullIfMissing);
  return found !== null && (found.isFile() || found.isDirectory());
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
