// A PgBouncer in front of the tests' database, where this machine has one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runCommand } from '../../src/embedded/run-command.ts';
import { freePort } from './free-port.ts';

export interface Pooler {
  url: string;
  stop(): Promise<void>;
}

export async function startPgBouncer(
  program: string,
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const host = decodeURIComponent(hostname);
  const directory = await mkdtemp(join(tmpdir(), 'gantry-pooler-'));
  await chmod(directory, 0o755);
  const file = join(directory, 'pgbouncer.ini');
  const ownPort = await freePort();
  await writeFile(
    file,
    `[databases]
${name} = host=${host} port=${port} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 100
`,
  );
  // It refuses to run as root; the user of PostgreSQL can reach its socket.
  const user = process.getuid?.() === 0 ? ['-u', await ownerOf(host)] : [];
  const child = spawn(program, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      output += `${line}\n`;
      if (line.includes('process up')) resolve();
    });
    ended.then(() => reject(new Error(`pgbouncer ended:\n${output}`)), reject);
  });
  return {
    url: `postgres://anybody@127.0.0.1:${ownPort}/${name}`,
    stop: async () => {
      child.kill('SIGTERM');
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function ownerOf(path: string): Promise<string> {
  const { uid } = await stat(path);
  return (await runCommand('id', ['-nu', String(uid)])).stdout.trim();
}
