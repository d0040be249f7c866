// Provides the directory of PostgreSQL's Unix socket where supported; it is a fifth faster than TCP on loopback.
import { createHash } from 'node:crypto';
import { chown, lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectory } from './data-directory.ts';
import type { PostgresHome } from './postgres-home.ts';

/** The longest socket path that every system accepts (macOS has the lowest limit). */
const LONGEST_PATH = 103;
const PLAIN_PATH = /^[A-Za-z0-9/._-]+$/;

/** Undefined if there is no Unix socket; then connect by TCP. */
export async function openSocketDirectory(home: PostgresHome): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const hash = createHash('sha256').update(home.path).digest('hex').slice(0, 12);
  for (const directory of [join(home.path, 'run'), join(tmpdir(), `gantry-${hash}`)]) {
    if (!isUsable(directory)) continue;
    await makeDirectory(directory, 0o700);
    const stats = await lstat(directory);
    const { account } = home;
    // In a temporary directory, any user may have created it first.
    const isOurs = stats.uid === process.getuid?.() || stats.uid === account?.uid;
    if (!stats.isDirectory() || !isOurs || (stats.mode & 0o022) !== 0) continue;
    if (account !== undefined) await chown(directory, account.uid, account.gid);
    return directory;
  }
  return undefined;
}

/** A killed server leaves its socket and a lock file, whose pid may belong to an unrelated process by now. */
export async function removeStaleSockets(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith('.s.PGSQL.')) await rm(join(directory, name), { force: true });
  }
}

function isUsable(directory: string): boolean {
  return PLAIN_PATH.test(directory) && join(directory, '.s.PGSQL.65535').length <= LONGEST_PATH;
}
