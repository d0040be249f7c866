import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataDirectory } from '../../../src/embedded/data-directory.ts';
import { startEmbeddedPostgres } from '../../../src/embedded/postgres.ts';
import { processIdentity } from '../../../src/embedded/processes.ts';
import { until } from '../../support/until.ts';
import { executeOnce } from '../../support/database.ts';
import { firstNumber, log, Scratch, withPostgres } from './scratch.ts';

const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? it : it.skip;

describe('embedded PostgreSQL', () => {
  const scratch = new Scratch();
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await scratch.dataDir();
    await mkdir(join(dataDir, 'postgres.new-0123/cluster/base'), { recursive: true, mode: 0o700 });
    await withPostgres(dataDir, async ({ url }) => {
      await executeOnce(url, 'create table kept (word text)');
      await executeOnce(url, "insert into kept values ('here')");
    });
  });
  afterAll(() => scratch.remove());

  const readKept = async (url: string) => (await executeOnce(url, 'select word from kept'))[0]?.['word'];

  it('removes an initialisation that a crash interrupted', async () => {
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
  });

  it('keeps data and port from one start to the next', async () => {
    const port = await firstNumber(join(dataDir, 'postgres.port'));
    await withPostgres(dataDir, async ({ url, tcpUrl }) => {
      expect(await readKept(url)).toBe('here');
      expect(await readKept(tcpUrl)).toBe('here');
      expect(new URL(tcpUrl).port).toBe(String(port));
      const [row] = await executeOnce(
        url,
        "select current_setting('listen_addresses') a, current_setting('timezone') z",
      );
      expect(row).toEqual({ a: '127.0.0.1', z: 'UTC' });
    });
  });

  it('connects the platform as an ordinary role that owns the database and may create roles and databases', async () => {
    await withPostgres(dataDir, async ({ url }) => {
      const [role] = await executeOnce(
        url,
        'select rolsuper, rolbypassrls, rolname from pg_roles where rolname = current_user',
      );
      expect(role).toEqual({ rolname: 'gantry', rolsuper: false, rolbypassrls: false });
      const [owner] = await executeOnce(
        url,
        'select datdba::regrole::text as name, pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()',
      );
      expect(owner).toEqual({ name: 'gantry', encoding: 'UTF8' });
      await executeOnce(url, 'create role helper nologin');
      await executeOnce(url, 'grant helper to gantry');
      await executeOnce(url, 'create database copy template gantry');
      await expect(executeOnce(url, "copy kept to program 'true'")).rejects.toThrow('permission denied');
      await expect(executeOnce(url.replace(/gantry:\w+/, 'gantry:wrong'), 'select 1')).rejects.toThrow(
        'authentication',
      );
    });
  });

  it('restarts on the same port with its data when it is killed', async () => {
    await withPostgres(dataDir, async ({ url }) => {
      // Busy backends outlive their parent and hold the shared memory; one that computes does not even
      // notice.
      const work = ['select pg_sleep(60)', 'do $$ begin loop end loop; end $$'];
      const busy = work.map((sql) => executeOnce(url, sql).catch(() => 'cut off'));
      await until(async () => {
        const [row] = await executeOnce(
          url,
          "select count(*)::int as n from pg_stat_activity where usename = current_user and state = 'active'",
        );
        return row?.['n'] === work.length + 1;
      }, 'the busy backends');
      const killed = await firstNumber(join(dataDir, 'postgres/postmaster.pid'));
      process.kill(killed, 'SIGKILL');
      expect(await Promise.all(busy)).toEqual(['cut off', 'cut off']);
      const word = await until(() => readKept(url).catch(() => undefined), 'the restart');
      expect(word).toBe('here');
      expect(await firstNumber(join(dataDir, 'postgres/postmaster.pid'))).not.toBe(killed);
    });
  });

  it('is not stopped by a stale pid file that names a living process, nor by a stale socket', async () => {
    const port = await firstNumber(join(dataDir, 'postgres.port'));
    await writeFile(
      join(dataDir, 'postgres/postmaster.pid'),
      `${process.pid}\n${join(dataDir, 'postgres')}\n`,
    );
    const socket = (await readdir(dataDir)).includes('run')
      ? join(dataDir, `run/.s.PGSQL.${port}`)
      : undefined;
    if (socket !== undefined) {
      await writeFile(socket, '');
      await writeFile(`${socket}.lock`, `${process.pid}\n`);
    }
    expect(await withPostgres(dataDir, ({ url }) => readKept(url))).toBe('here');
  });

  it('uses another port when its own is taken', async () => {
    await withPostgres(dataDir, async ({ tcpUrl }) => {
      const other = await scratch.dataDir();
      await mkdir(other, { mode: 0o700 });
      await writeFile(join(other, 'postgres.port'), new URL(tcpUrl).port);
      await withPostgres(other, async (second) => {
        expect(new URL(second.tcpUrl).port).not.toBe(new URL(tcpUrl).port);
        expect(await firstNumber(join(other, 'postgres.port'))).toBe(Number(new URL(second.tcpUrl).port));
      });
    });
  });

  it('sets new passwords when the file with them is lost', async () => {
    await rm(join(dataDir, 'postgres.passwords.json'));
    expect(await withPostgres(dataDir, ({ url }) => readKept(url))).toBe('here');
    expect((await stat(join(dataDir, 'postgres.passwords.json'))).mode & 0o777).toBe(0o600);
  });

  it('does not touch the data of another major version', async () => {
    const version = join(dataDir, 'postgres/PG_VERSION');
    const kept = `${version}.kept`;
    await rename(version, kept);
    const { uid, gid } = await stat(kept);
    await writeFile(version, '12\n');
    if (isRoot) await chown(version, uid, gid);
    await expect(withPostgres(dataDir, () => Promise.resolve())).rejects.toThrow('belong to PostgreSQL 12');
    await rename(kept, version);
  });

  asRoot('works in a folder that only root can enter, and finds its data there again', async () => {
    const hidden = join(await scratch.folder(), 'data');
    await withPostgres(hidden, ({ url }) => executeOnce(url, 'create table kept as select 42 as result'));
    expect(await readdir(hidden)).toContain('postgres.location');
    const rows = await withPostgres(hidden, ({ url }) => executeOnce(url, 'select result from kept'));
    expect(rows).toEqual([{ result: 42 }]);
  });

  it('refuses to start with an empty database when there was one, and names its former path', async () => {
    const cluster = join(dataDir, 'postgres');
    await rename(cluster, `${cluster}.lost`);
    const start = () => withPostgres(dataDir, () => Promise.resolve());
    await expect(start()).rejects.toThrow(`was in ${cluster} and is not there`);
    expect(await readdir(dataDir)).not.toContain('postgres');
    await rename(`${cluster}.lost`, cluster);
    expect(await withPostgres(dataDir, ({ url }) => readKept(url))).toBe('here');
  });

  asRoot('refuses the same where the database lies outside of the data directory', async () => {
    const hidden = join(await scratch.folder(), 'data');
    await withPostgres(hidden, ({ url }) => executeOnce(url, 'create table kept as select 42 as result'));
    const pointer = join(hidden, 'postgres.location');
    const home = (await readFile(pointer, 'utf8')).trim();
    await rename(home, `${home}.lost`);
    const start = () => withPostgres(hidden, () => Promise.resolve());
    await expect(start()).rejects.toThrow(`was in ${join(home, 'postgres')} and is not there`);
    // A backup that is moved or copied back lies in its place, not inside a new directory.
    expect(existsSync(home)).toBe(false);
    await rename(`${home}.lost`, home);
    // A lost pointer does not mean deleted data: the database is found again, not set aside.
    await rm(pointer);
    const rows = await withPostgres(hidden, ({ url }) => executeOnce(url, 'select result from kept'));
    expect(rows).toEqual([{ result: 42 }]);
  });

  it('refuses a directory that another Gantry process holds', async () => {
    const directory = await openDataDirectory(await scratch.dataDir());
    const [own = ''] = await readdir(directory.path);
    const parents = `lock.${process.ppid}.${await processIdentity(process.ppid)}.0a0a0a`;
    await rename(join(directory.path, own), join(directory.path, parents));
    await expect(startEmbeddedPostgres({ dataDir: directory.path, log })).rejects.toThrow(
      `is used by the Gantry process ${process.ppid}`,
    );
  });
});
