/** Frees a PostgreSQL cluster from what a killed run left behind: a server still running, a stale pid file. */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import { readIfPresent } from './files.ts';
import { stopOrphan } from './orphan.ts';

/** The caller holds the data directory, so no living Gantry process owns the server that is found. */
export async function stopPostgresOrphan(cluster: string, log: Logger): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const text = await readIfPresent(pidFile);
  if (text === undefined) return;
  await stopOrphan({
    name: 'PostgreSQL',
    pid: Number(text.split('\n')[0]),
    isOurs: (words) => basename(words[0] ?? '').startsWith('postgres') && words.includes(cluster),
    signals: [
      { signal: 'SIGINT', graceMs: 15_000 },
      { signal: 'SIGQUIT', graceMs: 5_000 },
      { signal: 'SIGKILL', graceMs: 2_000 },
    ],
    log,
  });
  // PostgreSQL would take any living process with this pid for its own; backends that still hold the cluster are
  // found by their shared memory, not by this file.
  await rm(pidFile, { force: true });
}
