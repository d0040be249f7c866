// Replaces small files atomically: a reader finds either the old or the new content.
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { renameHeld } from '../../../shared/held-files.ts';

/** On disk when the promise resolves, so it survives a power loss. */
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
    await publishDurably(temporaryPath, path);
  } catch (error) {
    // On a full disk, the temporary file would take space that others need. A failed removal is ignored here.
    await rm(temporaryPath, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Gives a complete file, whose content is synced, its final name. On disk when the promise resolves. */
export async function publishDurably(temporaryPath: string, path: string): Promise<void> {
  await renameHeld(temporaryPath, path);
  syncDirectory(dirname(path));
}

/**
 * Survives the death of this process but not of the machine, at a fraction of the cost. For facts that are void after a
 * power loss anyway, such as which process runs.
 */
export function replaceQuickly(path: string, text: string): void {
  const temporaryPath = `${path}.new`;
  writeFileSync(temporaryPath, text, { mode: 0o600 });
  renameSync(temporaryPath, path);
}

/** Makes renames in the directory durable across a power loss. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return; // Windows cannot open a directory for this
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
