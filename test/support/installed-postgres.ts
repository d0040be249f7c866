// Starts an installed PostgreSQL for the tests instead of the embedded one: the oldest that the platform supports.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asAccount, choosePostgresAccount } from '../../src/embedded/postgres-account.ts';
import { runCommand } from '../../src/embedded/run-command.ts';
import { executeOnce } from './database.ts';
import { until } from './until.ts';

export interface InstalledPostgres {
  url: string;
  stop: () => Promise<void>;
}

/** `programs` is a directory with `initdb` and `postgres`, such as `/usr/lib/postgresql/15/bin`. */
export async function startInstalledPostgres(
  programs: string,
  directory: string,
  maxConnections: number,
): Promise<InstalledPostgres> {
  const account = await choosePostgresAccount([]);
  const options = { ...asAccount(account), cwd: '/' };
  // The account reaches its cluster through the directory of root.
  await chmod(directory, 0o711);
  const [cluster, sockets] = [join(directory, 'installed'), join(directory, 'sockets')];
  for (const path of [cluster, sockets]) {
    await mkdir(path, { mode: 0o700 });
    if (account !== undefined) await chown(path, account.uid, account.gid);
  }
  const { code, stderr } = await runCommand(
    join(programs, 'initdb'),
    ['-D', cluster, '-U', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C.UTF-8'],
    options,
  );
  if (code !== 0) throw new Error(`initdb failed: ${stderr}`);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    max_connections: maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...options, stdio: 'ignore' },
  );
  const ended = once(server, 'exit');
  const urlOf = (user: string, database: string) =>
    `postgres://${user}@${encodeURIComponent(sockets)}:5432/${database}`;
  await until(() => isReady(join(cluster, 'postmaster.pid')), 'a ready PostgreSQL', 60_000);
  const superuser = urlOf('postgres', 'postgres');
  await executeOnce(superuser, 'create role gantry login createrole createdb');
  await executeOnce(superuser, 'create database gantry owner gantry');
  return {
    url: urlOf('gantry', 'gantry'),
    stop: async () => {
      server.kill('SIGINT');
      await ended;
    },
  };
}

/** PostgreSQL writes its state into the eighth line of its pid file. */
async function isReady(pidFile: string): Promise<boolean> {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  return text.split('\n')[7]?.trim() === 'ready';
}
