// Renames files on Windows while other programs hold them open for some seconds.
import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

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

/** Replaces the target, like `rename`. */
export async function renameHeld(
  from: string,
  to: string,
  { platform = process.platform, renameFile = rename }: HeldFileOptions = {},
): Promise<void> {
  const until = performance.now() + (platform === 'win32' ? heldMs : 0);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      await renameFile(from, to);
      return;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (performance.now() >= until || !heldCodes.includes(code)) throw error;
      await pause(pauseMs);
    }
  }
}
