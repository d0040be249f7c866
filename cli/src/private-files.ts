// Files that only their owner can read, replaced as a whole.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CliError } from './failures.ts';

/** Writes the file with mode 0600; a reader sees the former content or the new one, never half of it. */
export async function writePrivately(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(temporary, 0o600);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A process that holds a lock for longer has ended without releasing it: changes take milliseconds. */
const maxHeldMs = 5_000;
const maxWaitMs = 10_000;

/** Runs the change while no other process changes the file. */
export async function locked(file: string, change: () => Promise<void>): Promise<void> {
  const lock = `${file}.lock`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await acquire(lock);
  try {
    await change();
  } finally {
    await rm(lock, { force: true });
  }
}

async function acquire(lock: string): Promise<void> {
  const endsAt = Date.now() + maxWaitMs;
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const status = await stat(lock).catch(() => undefined);
    if (status !== undefined && Date.now() - status.mtimeMs > maxHeldMs) await rm(lock, { force: true });
    else if (Date.now() > endsAt)
      throw new CliError(`Another process holds ${lock}. Delete it if none runs.`);
    else await wait(20 + Math.random() * 30);
  }
}
