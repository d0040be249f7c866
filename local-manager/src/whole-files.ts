// Writes files of the manager's home atomically, also while other programs hold them open for some seconds.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { refusal } from './refusals.ts';

/** How long another program may hold a file: virus scanners and indexers open every new one. */
const heldMs = 20_000;
const firstPauseMs = 10;
const maxPauseMs = 500;

/** Errors of Windows for a file that another program has open; on other systems they are permanent. */
const heldCodes = ['EPERM', 'EACCES', 'EBUSY'];

type Rename = (from: string, to: string) => Promise<void>;

export interface HeldFileOptions {
  platform?: NodeJS.Platform;
  renameFile?: Rename;
}

/** Replaces the target with the fresh file, which is gone afterwards in any case. */
export async function replaceFile(
  fresh: string,
  target: string,
  { platform = process.platform, renameFile = rename }: HeldFileOptions = {},
): Promise<void> {
  const until = Date.now() + (platform === 'win32' ? heldMs : 0);
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        await renameFile(fresh, target);
        return;
      } catch (error) {
        if (Date.now() >= until || !heldCodes.includes(codeOf(error))) throw error;
        await pause(pauseMs);
      }
    }
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
