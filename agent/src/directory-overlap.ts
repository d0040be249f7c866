// Refuses directories that contain one another, after resolving links.
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { SettingError, isMissing } from './errors.ts';

export interface OwnedPath {
  path: string;
  owner: string;
}

/** Overlapping directories are refused, because changes in one could change the other. */
export function refuseOverlap(setting: string, directory: string, others: readonly OwnedPath[]): void {
  const isWithin = (inner: string, outer: string) => !relative(outer, inner).split(sep).includes('..');
  const own = realPathOf(directory);
  const other = others.find(({ path }) => {
    const theirs = realPathOf(path);
    return isWithin(theirs, own) || isWithin(own, theirs);
  });
  if (other !== undefined)
    throw new SettingError(`${setting}: ${directory} overlaps with ${other.path} of ${other.owner}`);
}

/** Resolves links in the part of the path that exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) return path;
    return join(realPathOf(parent), basename(path));
  }
}
