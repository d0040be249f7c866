// Cleans a PostgreSQL cluster after a killed run: stops the server and its backends, removes a stale pid file.
import { readdir, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import { readIfPresent } from '../process/files.ts';
import { stopOrphan } from './orphan.ts';

/** The caller holds the data directory, so no living Gantry process owns the server that is found. */
export async function stopPostgresOrphan(cluster: string, log: Logger): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  await stopOrphan({
    name: 'PostgreSQL',
    pid: Number((await readIfPresent(pidFile))?.split('\n')[0]),
    isOurs: (words) => basename(words[0] ?? '').startsWith('postgres') && words.includes(cluster),
    signals: [
      { signal: 'SIGINT', graceMs: 15_000 },
      { signal: 'SIGQUIT', graceMs: 5_000 },
      { signal: 'SIGKILL', graceMs: 2_000 },
    ],
    log,
  });
  // PostgreSQL would take any living process with this pid for its own.
  await rm(pidFile, { force: true });
  await stopBackends(cluster, log);
}

/** A backend in a long statement does not notice that its server was killed, and blocks the next server. */
async function stopBackends(cluster: string, log: Logger): Promise<void> {
  if (process.platform !== 'linux') return;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || (await workingDirectory(name)) !== cluster) continue;
    await stopOrphan({
      name: 'PostgreSQL backend',
      pid: Number(name),
      isOurs: ([title = '']) => title.startsWith('postgres: '),
      signals: [
        { signal: 'SIGQUIT', graceMs: 1_000 },
        { signal: 'SIGKILL', graceMs: 2_000 },
      ],
      log,
    });
  }
}

/** Undefined if the process is gone or may not be inspected. */
async function workingDirectory(pid: string): Promise<string | undefined> {
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
}
