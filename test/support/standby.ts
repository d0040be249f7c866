// A PostgreSQL of a suite's own, and a hot standby that follows it by streaming replication.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { migrate } from '../../src/database/migrate.ts';
import { asAccount, choosePostgresAccount, type Account } from '../../src/embedded/postgres-account.ts';
import { findPostgresBinaries, type PostgresBinaries } from '../../src/embedded/postgres-binaries.ts';
import { runCommand } from '../../src/embedded/run-command.ts';
import { freePort } from './free-port.ts';
import { executeOnce } from './database.ts';
import { until } from './until.ts';

/** Files of the running server and of its connections, which a base backup leaves out. */
const ofTheServer = /\/(?:postmaster\.(?:pid|opts)|pg_wal\/.+|pg_replslot\/.+)$/;

class Server {
  readonly cluster: string;
  readonly port: number;
  readonly #program: string;
  readonly #account: Account | undefined;
  #child: ChildProcess | undefined;

  constructor(program: string, account: Account | undefined, cluster: string, port: number) {
    this.#program = program;
    this.#account = account;
    this.cluster = cluster;
    this.port = port;
  }

  url(database: string, user = 'gantry'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: '',
      timezone: 'UTC',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#child = spawn(this.#program, ['-D', this.cluster, ...options], {
      ...asAccount(this.#account),
      cwd: '/',
      stdio: 'ignore',
    });
    await until(
      () =>
        this.query('select 1').then(
          () => true,
          () => false,
        ),
      'a ready PostgreSQL',
      60_000,
    );
  }

  /** Ends all of its processes at once: those of sessions end with the first one. */
  async kill(): Promise<void> {
    if (this.#child?.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** As a superuser. */
  query(sql: string): Promise<Record<string, unknown>[]> {
    return executeOnce(this.url('postgres', 'postgres'), sql);
  }
}

export class PostgresPair {
  readonly primary: Server;
  readonly standby: Server;
  readonly #directory: string;
  readonly #former = process.env['GANTRY_TEST_DATABASE_URL'];

  private constructor(directory: string, primary: Server, standby: Server) {
    this.#directory = directory;
    this.primary = primary;
    this.standby = standby;
  }

  /** Until `stop`, the databases of tests are created on this pair. */
  static async start(): Promise<PostgresPair> {
    const account = await choosePostgresAccount([]);
    const directory = await mkdtemp(join(tmpdir(), 'gantry-standby-'));
    await chmod(directory, 0o755);
    const binaries = await findPostgresBinaries(directory, account);
    const server = async (name: string) => {
      const cluster = join(directory, name);
      await mkdir(cluster, { mode: 0o700 });
      if (account !== undefined) await chown(cluster, account.uid, account.gid);
      return new Server(binaries.postgres, account, cluster, await freePort());
    };
    const pair = new PostgresPair(directory, await server('primary'), await server('standby'));
    try {
      await pair.#startPrimary(binaries, account);
      await pair.#startStandby(account);
    } catch (error) {
      await pair.stop();
      throw error;
    }
    return pair;
  }

  /** The same database on both servers, the standby first, in a URL as libpq takes it. */
  urlOfBoth(database: string): string {
    const hosts = [this.standby, this.primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgresql://gantry@${hosts}/${database}?target_session_attrs=read-write`;
  }

  /** From then on the standby receives changes and does not show them. */
  async pauseReplay(): Promise<void> {
    await this.standby.query('select pg_wal_replay_pause()');
    const state = `select pg_get_wal_replay_pause_state() = 'paused' as is_paused`;
    await until(async () => (await this.standby.query(state))[0]?.['is_paused'], 'the pause of the standby');
  }

  async resumeReplay(): Promise<void> {
    await this.standby.query('select pg_wal_replay_resume()');
  }

  async stop(): Promise<void> {
    process.env['GANTRY_TEST_DATABASE_URL'] = this.#former;
    await this.standby.kill();
    await this.primary.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #startPrimary({ initdb }: PostgresBinaries, account: Account | undefined): Promise<void> {
    const { primary } = this;
    const { code, stderr } = await runCommand(
      initdb,
      [
        '-D',
        primary.cluster,
        '-U',
        'postgres',
        '--auth',
        'trust',
        '--encoding',
        'UTF8',
        '--locale',
        'C.UTF-8',
      ],
      { ...asAccount(account), cwd: '/' },
    );
    if (code !== 0) throw new Error(`initdb failed: ${stderr}`);
    await primary.start();
    // The role of a platform is no superuser.
    await primary.query('create role gantry login createrole createdb');
    await primary.query('create database gantry owner gantry');
    process.env['GANTRY_TEST_DATABASE_URL'] = primary.url('gantry');
    await executeOnce(primary.url('gantry'), 'create database gantry_template');
    await migrate({ url: primary.url('gantry_template') }, pino({ level: 'silent' }));
  }

  /** From a base backup over SQL, because the embedded programs have no pg_basebackup. */
  async #startStandby(account: Account | undefined): Promise<void> {
    const { primary, standby } = this;
    const client = new pg.Client({ connectionString: primary.url('postgres', 'postgres') });
    await client.connect();
    try {
      await client.query(`select pg_backup_start('standby', true)`);
      await cp(primary.cluster, standby.cluster, {
        recursive: true,
        preserveTimestamps: true,
        filter: (path) => !ofTheServer.test(path),
      });
      const { rows } = await client.query<{ labelfile: string }>(
        'select labelfile from pg_backup_stop(false)',
      );
      await writeFile(join(standby.cluster, 'backup_label'), rows[0]?.labelfile ?? '');
    } finally {
      await client.end();
    }
    await writeFile(join(standby.cluster, 'standby.signal'), '');
    const connection = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`;
    await appendFile(join(standby.cluster, 'postgresql.auto.conf'), connection);
    if (account !== undefined)
      await runCommand('chown', ['-R', `${account.uid}:${account.gid}`, standby.cluster]);
    await standby.start();
  }
}
