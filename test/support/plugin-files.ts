// Whole files of plugins as written by them, with all their keys: one folder for each kind, with one for each
// server.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, 'plugin-files');

export interface ServerOfPlugin {
  kind: string;
  /** Its plugins, with their versions or editions. */
  server: string;
  files: ReadonlyMap<string, string>;
}

const foldersIn = (folder: string) => readdirSync(folder).toSorted();

function filesBelow(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  );
}

export const serversOfPlugins: readonly ServerOfPlugin[] = foldersIn(root).flatMap((kind) =>
  foldersIn(join(root, kind)).map((server) => ({
    kind,
    server,
    files: filesBelow(join(root, kind, server)),
  })),
);
