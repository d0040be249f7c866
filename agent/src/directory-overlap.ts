// Refuses directories of which one lies in the other, whatever links lead there.
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { SettingError } from './setting-error.ts';
import { isMissing } from './system-error.ts';

export interface OwnedPath {
  path: string;
  owner: string;
}

/** Where one of two directories is in the other, what is done in the one could change the other. */
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

/** Links are followed as far as the path exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) return path;
    return join(realPathOf(parent), basename(path));
  }
}
