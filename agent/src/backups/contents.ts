// Collects the files that belong into a backup of an instance, while the instance may be changing them.
import { lstat } from 'node:fs/promises';
import { within } from '../instance-files/entries.ts';
import { FileError } from '../instance-files/file-error.ts';
import { checkedName, maxSteps, ownPrefix, stepsOf } from '../instance-files/file-path.ts';
import type { Folder } from '../instance-files/folder.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { maxEntries } from '../instance-files/zip.ts';
import { isMissing } from '../errors.ts';

export interface Found {
  path: string;
  isDirectory: boolean;
  size: number;
  mode: number;
  mtimeMs: number;
}

export interface Contents {
  found: Found[];
  bytes: number;
  /** Number of entries that no backup includes: links, devices, and names that are invalid on some operating system. */
  leftOut: number;
}

/** Returns what is at those paths, or below the root when none are given. Skips missing paths. */
export async function contentsOf(
  files: InstanceFiles,
  paths: readonly string[] | undefined,
): Promise<Contents> {
  const contents: Contents = { found: [], bytes: 0, leftOut: 0 };
  if (paths === undefined) {
    await within(files.openRoot, [], (root) => visitAll(root, [], contents));
    return contents;
  }
  for (const path of outermost(paths)) {
    const parents = stepsOf(path);
    const name = parents.pop() ?? '';
    await within(files.openRoot, parents, (folder) => visit(folder, parents, name, contents)).catch(
      (error: unknown) => {
        if (!isMissing(error)) throw error;
      },
    );
  }
  return contents;
}

/** Whether the path is one of the selected paths or below one. Without a selection every path is. */
export function isSelected(path: string, paths: readonly string[] | undefined): boolean {
  return paths === undefined || paths.some((selected) => path === selected || isBelow(path, selected));
}

/** Whether a selected path is below this path. */
export function leadsToSelected(path: string, paths: readonly string[] | undefined): boolean {
  return paths?.some((selected) => isBelow(selected, path)) === true;
}

/** A name that is invalid on some operating system could not be restored there. */
export function isNameForAll(name: string): boolean {
  try {
    checkedName(name);
    return true;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** Removes the paths that are below another one. */
function outermost(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => isBelow(path, other)));
}

const isBelow = (path: string, folder: string) => path.startsWith(`${folder}/`);

async function visitAll(folder: Folder, parents: readonly string[], contents: Contents): Promise<void> {
  for await (const name of folder.names()) {
    try {
      await visit(folder, parents, name, contents);
    } catch (error) {
      if (!isMissing(error)) throw error; // removed since it was listed
    }
  }
}

async function visit(
  folder: Folder,
  parents: readonly string[],
  name: string,
  contents: Contents,
): Promise<void> {
  if (name.toLowerCase().startsWith(ownPrefix) || (await folder.isOwn(name))) return;
  const { found } = contents;
  const status = await lstat(folder.at(name));
  const isDirectory = status.isDirectory();
  if (!isNameForAll(name) || (!isDirectory && !status.isFile())) {
    contents.leftOut += 1;
    return;
  }
  const steps = [...parents, name];
  if (steps.length > maxSteps) throw new FileError('too_large', 'The directories are nested too deeply.');
  if (found.length >= maxEntries)
    throw new FileError('too_large', `There are more than ${maxEntries} files and directories.`);
  const { size, mode, mtimeMs } = status;
  found.push({ path: steps.join('/'), isDirectory, size: isDirectory ? 0 : size, mode, mtimeMs });
  if (!isDirectory) {
    contents.bytes += size;
    return;
  }
  const inner = await folder.enter(name);
  try {
    await visitAll(inner, steps, contents);
  } finally {
    await inner.close();
  }
}
