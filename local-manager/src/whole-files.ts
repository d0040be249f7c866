// Writes files of the manager's home atomically, also while other programs hold them open for some seconds.
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { renameHeld, type HeldFileOptions } from '../../shared/held-files.ts';
import { refusal } from './refusals.ts';

/** Replaces the target with the fresh file, which is gone afterwards in any case. */
export async function replaceFile(
  fresh: string,
  target: string,
  options: HeldFileOptions = {},
): Promise<void> {
  try {
    await renameHeld(fresh, target, options);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Throws a refusal if the drive is full; the former content then remains. */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  options: HeldFileOptions = {},
): Promise<void> {
  await withoutSpace(file, async () => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const fresh = `${file}.${randomUUID()}`;
    try {
      await writeFile(fresh, content, { mode: 0o600, flush: true });
    } catch (error) {
      await rm(fresh, { force: true }).catch(() => undefined);
      throw error;
    }
    await replaceFile(fresh, file, options);
  });
}

/** Runs the work, which writes the file, and explains in words that the drive is full. */
export async function withoutSpace<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error;
    throw refusal(
      'disk_full',
      `The drive of ${dirname(file)} is full: free some space there and try again. Nothing was changed.`,
      { cause: error },
    );
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
