// File helpers of the embedded services: reads that allow missing files, and atomic private writes.
import { randomBytes } from 'node:crypto';
import { lstat, open, readFile, rename, type FileHandle } from 'node:fs/promises';

export function errorCode(error: unknown): string | undefined {
  return Error.isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function randomSuffix(): string {
  return randomBytes(6).toString('hex');
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** Writes atomically: readers see the old text or the new text, never a part of it. Only the owner can read it. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomSuffix()}`;
  await useFile(await open(draft, 'wx', 0o600), async (file) => {
    await file.writeFile(text);
    await file.sync();
  });
  await rename(draft, path);
}

/** Makes file names in a directory survive a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await useFile(await open(path, 'r'), (directory) => directory.sync());
}

async function useFile(file: FileHandle, use: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await use(file);
  } finally {
    await file.close();
  }
}
