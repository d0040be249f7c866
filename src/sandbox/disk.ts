// The simulated disk of a host: files by their paths, with a limit that counts their names.
import type { SimulatedHost } from './state.ts';

/** The files of one server, in base64 by path. An empty directory is a path that ends with a slash. */
export type FileTree = Record<string, string>;

/** Of all files of a host together, in base64, with their names. */
const maxBytes = 512 * 1024;
const maxFiles = 1_000;

/** The content of a file; undefined if there is none with that path. */
export const contentAt = (files: FileTree, path: string): string | undefined =>
  Object.hasOwn(files, path) ? files[path] : undefined;

export const hasDirectory = (files: FileTree, path: string): boolean =>
  path === '' || Object.keys(files).some((name) => name.startsWith(`${path}/`));

/** Whether the path leads through a file. */
export const leadsThroughFile = (files: FileTree, path: string): boolean =>
  path
    .split('/')
    .some((_, index, parts) => index > 0 && Object.hasOwn(files, parts.slice(0, index).join('/')));

/** Whether these files fit on the disk in place of those with the same paths. */
export function fits(host: SimulatedHost, files: FileTree, written: ReadonlyMap<string, string>): boolean {
  let [bytes, count] = [0, written.size];
  for (const tree of Object.values(host.files))
    for (const [path, content] of Object.entries(tree)) {
      if (tree === files && written.has(path)) continue;
      bytes += path.length + content.length;
      count += 1;
    }
  for (const [path, content] of written) bytes += path.length + content.length;
  return bytes <= maxBytes && count <= maxFiles;
}

/** Writes files without a check. A path can have the name of a property of every object. */
export function write(files: FileTree, written: ReadonlyMap<string, string>): void {
  for (const [path, value] of written)
    Object.defineProperty(files, path, { value, enumerable: true, configurable: true, writable: true });
}
