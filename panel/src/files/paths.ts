// Paths below the root of a server: their parts, and how they are put together.

export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Empty for what is in the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const pathIn = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

export interface Crumb {
  name: string;
  path: string;
}

/** The folders from below the root to this path, which is the last. */
export function crumbsOf(path: string): Crumb[] {
  const steps = path.split('/').filter((step) => step !== '');
  return steps.map((name, index) => ({ name, path: steps.slice(0, index + 1).join('/') }));
}

export const isArchive = (name: string): boolean => /\.zip$/i.test(name);

/** As people type paths: with slashes around, or with those of Windows. */
export const tidied = (path: string): string =>
  path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^\/+|\/+$/g, '');
