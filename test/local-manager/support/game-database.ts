// A PostgreSQL of Debian as the game's database: its pg_dump and its server are of one version, as in the game's pod.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { until } from '../../support/until.ts';

const programs = '/usr/lib/postgresql/15/bin';
const schema = resolve(import.meta.dirname, '../../../local-manager/stand-ins/game-database.sql');

export class GamePostgres {
  readonly url: string;
  readonly #stop: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url;
    this.#stop = stop;
  }

  static async start(): Promise<GamePostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'gantry-game-postgres-'));
    const user = ownerOf(folder);
    const data = join(folder, 'data');
    const flags = ['-D', data, '-U', 'dune', '--auth=trust', '--no-sync', '-E', 'UTF8'];
    execFileSync(join(programs, 'initdb'), flags, { ...user, stdio: 'ignore', cwd: folder });
    const port = await freePort();
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, stdio: 'ignore', cwd: folder },
    );
    const database = new GamePostgres(`postgres://dune@127.0.0.1:${port}/dune`, async () => {
      const gone = once(server, 'exit');
      server.kill('SIGINT');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    });
    const admin = database.url.replace(/dune$/, 'postgres');
    await until(
      () =>
        run(admin, 'create database dune').then(
          () => true,
          () => undefined,
        ),
      'PostgreSQL',
    );
    await run(database.url, readFileSync(schema, 'utf8'));
    return database;
  }

  query(sql: string): Promise<pg.QueryResultRow[]> {
    return run(this.url, sql);
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

async function run(url: string, sql: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as pg.QueryResultRow[];
  } finally {
    await client.end();
  }
}

/** PostgreSQL refuses to run as root. */
function ownerOf(folder: string): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  );
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
