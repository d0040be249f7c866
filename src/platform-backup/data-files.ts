// The files of the data directory that a backup contains: keys, mail, and every other file that a start does not create.
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConfigError } from '../process/environment.ts';
import { exists, syncDirectory } from '../process/files.ts';

/** The database is copied by its rows, stored files by the keys of those rows. A start creates the others. */
const excluded =
  /^(postgres([.-].*)?|nats\.port|nats\/(nats\.conf|nats-server\.pid|bin\/.*)|logs|cache|storage|lock\..*|.*\.part)$/;

/** Paths relative to the directory, with slashes. */
export async function listDataFiles(directory: string): Promise<string[]> {
  if (!(await exists(directory))) return [];
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => relative(directory, join(file.parentPath, file.name)).split(sep).join('/'))
    .filter((path) => !isExcluded(path))
    .sort();
}

function isExcluded(path: string): boolean {
  const steps = path.split('/');
  return steps.some((_step, index) => excluded.test(steps.slice(0, index + 1).join('/')));
}

export async function openDataFile(directory: string, path: string): Promise<Readable> {
  const file = await open(join(directory, path), 'r');
  return file.createReadStream();
}

/** A name of an archive chooses a file only below the directory. */
export async function writePrivate(directory: string, path: string, content: Readable): Promise<void> {
  if (
    path.split('/').some((step) => ['', '.', '..'].includes(step)) ||
    /[\\:\0]/.test(path) ||
    isExcluded(path)
  )
    throw new ConfigError(`The backup is damaged: ${JSON.stringify(path)} is not a file of a data directory`);
  const target = join(directory, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const file = await open(target, 'wx', 0o600);
  await pipeline(content, file.createWriteStream({ flush: true }));
  await syncDirectory(dirname(target));
}
