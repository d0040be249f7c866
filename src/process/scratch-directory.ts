// Directories for files of one run, whose name starts with a prefix. Those that killed processes left are removed.
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface ScratchOptions {
  prefix: string;
  /** Longer than any run takes. */
  abandonedAfterMs: number;
}

/** Removes abandoned ones of that prefix. Another process may remove them at the same time. */
export async function removeAbandoned(
  parent: string,
  { prefix, abandonedAfterMs }: ScratchOptions,
): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const left = join(parent, name);
    const { mtimeMs } = await stat(left).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(left, { recursive: true, force: true });
  }
}

/** Makes an empty directory, which only this user can enter. */
export async function makeScratchDirectory(parent: string, options: ScratchOptions): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeAbandoned(parent, options);
  return mkdtemp(join(parent, options.prefix));
}
