// The programs that the stand-ins run, and the packages of Debian that have them.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const packages = {
  sshd: 'openssh-server',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  kubectl: 'kubernetes-client',
  psql: 'postgresql-client',
  curl: 'curl',
} as const;

export type NeededProgram = keyof typeof packages;

/** Servers are in these folders, which are not on the path of every user. */
const serverFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** The path of a program; undefined where it is not installed. */
export function findProgram(name: NeededProgram, path = process.env['PATH'] ?? ''): string | undefined {
  const folders = [...path.split(delimiter).filter(Boolean), ...(name === 'sshd' ? serverFolders : [])];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** One sentence that names every missing program; undefined if there is none. */
export function missingPrograms(find: typeof findProgram = findProgram): string | undefined {
  const missing = (Object.keys(packages) as NeededProgram[]).filter((name) => find(name) === undefined);
  if (missing.length === 0) return undefined;
  const named = missing.map((name) => `${name} (Debian package ${packages[name]})`);
  return `The demo needs ${named.join(', ')}. Install what is missing and start it again.`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
