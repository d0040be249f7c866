// Replaces small files so that a reader finds either the old or the new content, never a part.
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Survives the loss of power: on disk when the promise resolves. */
export async function replaceDurably(path: string, content: string | Uint8Array): Promise<void> {
  const temporaryPath = `${path}.new`;
  try {
    const file = await open(temporaryPath, 'w', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryPath, path);
  } catch (error) {
    // Where the disk is full, others need the room. What keeps the file from being removed has its own say elsewhere.
    await rm(temporaryPath, { force: true }).catch(() => undefined);
    throw error;
  }
  syncDirectory(dirname(path));
}

/**
 * Survives the death of this process but not of the machine, at a fraction of the cost. For facts that are
 * void after a power loss anyway, such as which process runs.
 */
export function replaceQuickly(path: string, text: string): void {
  const temporaryPath = `${path}.new`;
  writeFileSync(temporaryPath, text, { mode: 0o600 });
  renameSync(temporaryPath, path);
}

/** Makes what was renamed in it survive the loss of power. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return; // Windows cannot open a directory for this
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
