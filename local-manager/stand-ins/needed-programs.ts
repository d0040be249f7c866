// The programs that the stand-ins run, and the packages of Debian that have them.
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const packages = {
  sshd: 'openssh-server',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  kubectl: 'kubernetes-client',
  postgres: 'postgresql',
  curl: 'curl',
} as const;

export type NeededProgram = keyof typeof packages;

/** Servers are in these folders, which are not on the path of every user. */
const serverFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

const postgresClients = ['psql', 'pg_dump', 'pg_restore'];
const postgresPrograms = ['postgres', 'initdb', 'pg_ctl', ...postgresClients];
const debianPostgres = '/usr/lib/postgresql/*/bin';

/** The path of a program; undefined where it is not installed. */
export function findProgram(name: NeededProgram, path = process.env['PATH'] ?? ''): string | undefined {
  if (name === 'postgres') return fileIn(postgresFolder(path), name);
  const folders = [...foldersOf(path), ...(name === 'sshd' ? serverFolders : [])];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The folder with the server of PostgreSQL and its clients of the same version. */
export const postgresFolder = (path?: string): string | undefined => folderWith(postgresPrograms, path);

/** Where the clients of PostgreSQL are; the ones of the server, if there is one. */
export const postgresClientFolder = (): string | undefined => postgresFolder() ?? folderWith(postgresClients);

function folderWith(programs: readonly string[], path = process.env['PATH'] ?? ''): string | undefined {
  const versionOf = (folder: string) => Number(folder.split('/').at(-2));
  const debian = globSync(debianPostgres).toSorted((one, other) => versionOf(other) - versionOf(one));
  return [...debian, ...foldersOf(path)].find((folder) =>
    programs.every((name) => isExecutable(join(folder, name))),
  );
}

/** One sentence that names every missing program; undefined if there is none. */
export function missingPrograms(find: typeof findProgram = findProgram): string | undefined {
  const missing = (Object.keys(packages) as NeededProgram[]).filter((name) => find(name) === undefined);
  if (missing.length === 0) return undefined;
  const named = missing.map((name) => `${name} (Debian package ${packages[name]})`);
  return `The demo needs ${named.join(', ')}. Install what is missing and start it again.`;
}

const foldersOf = (path: string): string[] => path.split(delimiter).filter(Boolean);

const fileIn = (folder: string | undefined, name: string): string | undefined =>
  folder === undefined ? undefined : join(folder, name);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
