// A PostgreSQL of its own as the game's database: its pg_dump and its server are of one version, as in the game's pod.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { postgresFolder } from './needed-programs.ts';
import { freePort } from './ports.ts';

const schema = resolve(import.meta.dirname, 'game-database.sql');

export class GamePostgres {
  readonly url: string;
  readonly #end: () => void;

  private constructor(url: string, end: () => void) {
    this.url = url;
    this.#end = end;
  }

  static async start(): Promise<GamePostgres> {
    const programs = postgresFolder();
    if (programs === undefined) throw new Error('PostgreSQL is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'gantry-game-postgres-'));
    const owner = ownerOf(folder);
    const data = join(folder, 'data');
    const run = (program: string, flags: readonly string[]) =>
      execFileSync(join(programs, program), flags, { ...owner, stdio: 'ignore', cwd: folder });
    run('initdb', ['-D', data, '-U', 'dune', '--auth=trust', '--no-sync', '-E', 'UTF8']);
    const port = await freePort();
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
    const options = settings.map((setting) => `-c ${setting}`).join(' ');
    run('pg_ctl', ['start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', options]);
    const database = new GamePostgres(`postgres://dune@127.0.0.1:${port}/dune`, () => {
      run('pg_ctl', ['stop', '-w', '-m', 'fast', '-D', data]);
      rmSync(folder, { recursive: true, force: true });
    });
    try {
      await query(database.url.replace(/dune$/, 'postgres'), 'create database dune');
      await database.query(readFileSync(schema, 'utf8'));
    } catch (error) {
      database.stop();
      throw error;
    }
    return database;
  }

  query(sql: string): Promise<pg.QueryResultRow[]> {
    return query(this.url, sql);
  }

  stop(): void {
    this.#end();
  }
}

async function query(url: string, sql: string): Promise<pg.QueryResultRow[]> {
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
