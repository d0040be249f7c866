// Directories in which the archive is written and read, one for each run.
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const prefix = 'archive-';
/** Longer than any run takes. */
const staleMs = 24 * 60 * 60_000;

/** Makes an empty directory, and removes those that killed processes left. */
export async function makeDirectory(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const left = join(parent, name);
    const { mtimeMs } = await stat(left);
    if (mtimeMs < Date.now() - staleMs) await rm(left, { recursive: true, force: true });
  }
  return mkdtemp(join(parent, prefix));
}
