// Finds out what has to change its place for a backup to be restored.
import { lstat } from 'node:fs/promises';
import type { Folder } from '../instance-files/folder.ts';
import { isMissing } from '../system-error.ts';
import { isNameForAll, isSelected, leadsToSelected } from './contents.ts';

/** Something that changes its place: what was there goes aside, what is new takes the place, if there is anything. */
export interface Swap {
  path: string;
  isNew: boolean;
}

export interface Selection {
  /** What the backup is of; everything when there are none. */
  paths: readonly string[] | undefined;
  /** Whether what came there after the backup is removed. */
  isRemovingLater: boolean;
}

export async function plan(staging: Folder, root: Folder, selection: Selection): Promise<Swap[]> {
  const swaps: Swap[] = [];
  const fresh = await staging.enter('new');
  try {
    await compare(fresh, root, '', { selection, swaps });
  } finally {
    await fresh.close();
  }
  return swaps;
}

/** Directories that are on both sides stay; what is in them is compared. */
async function compare(
  fresh: Folder | null,
  present: Folder,
  path: string,
  found: { selection: Selection; swaps: Swap[] },
): Promise<void> {
  const freshNames = new Set(fresh === null ? [] : await namesIn(fresh));
  for (const name of freshNames) {
    await present.refuseOwn(name);
    const isFolder = (await isDirectory(fresh, name)) && (await isDirectory(present, name));
    if (isFolder) await compareInner(fresh, present, name, path, found);
    else found.swaps.push({ path: path + name, isNew: true });
  }
  if (!found.selection.isRemovingLater) return;
  const { paths } = found.selection;
  for (const name of await namesIn(present)) {
    if (freshNames.has(name) || !isNameForAll(name) || (await present.isOwn(name))) continue;
    if (isSelected(path + name, paths)) {
      if (await isFileOrDirectory(present, name)) found.swaps.push({ path: path + name, isNew: false });
    } else if (leadsToSelected(path + name, paths) && (await isDirectory(present, name)))
      await compareInner(null, present, name, path, found);
  }
}

async function compareInner(
  fresh: Folder | null,
  present: Folder,
  name: string,
  path: string,
  found: { selection: Selection; swaps: Swap[] },
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
