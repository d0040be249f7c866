// The files that the program brings along: from its folders, or from within the bundled program.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

declare const GANTRY_OWN_FILES: Readonly<Record<string, string>> | undefined;

const bundled = typeof GANTRY_OWN_FILES === 'undefined' ? undefined : GANTRY_OWN_FILES;
const folder = resolve(import.meta.dirname, '..');

/** Whether this is the bundled program, which has its page and its scripts inside. */
export const isBundled = bundled !== undefined;

/** `path` is below local-manager/, or below the root for what is generated. */
export function readOwnFile(path: string): Buffer {
  const found = findOwnFile(path);
  if (found === undefined) throw new Error(`the program has no file ${path}`);
  return found;
}

/** A file within the bundled program; undefined if it has none of that name. */
export function findOwnFile(path: string): Buffer | undefined {
  if (bundled === undefined)
    return readFileSync(path.startsWith('generated/') ? join(folder, '..', path) : join(folder, path));
  const content = Object.hasOwn(bundled, path) ? bundled[path] : undefined;
  return content === undefined ? undefined : Buffer.from(content, 'base64');
}
