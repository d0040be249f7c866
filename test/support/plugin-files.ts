// Whole files of plugins as these write them, with every key that they have: one folder a kind, in it one a server.
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
