import { spawn } from 'node:child_process';
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { openDataDirectory } from '../../../src/embedded/data-directory.ts';
import { startEmbeddedNats } from '../../../src/embedded/nats.ts';
import { commandLine, isRunning } from '../../../src/embedded/processes.ts';
import { until } from '../../support/until.ts';
import { launchGantry } from './launch.ts';
import { executeOnce } from '../../support/database.ts';
import { firstNumber, log, natsServer, Scratch, withPostgres } from './scratch.ts';

describe('after a Gantry process was killed', () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  it('the next start finds its data and nothing blocks it', async () => {
    const dataDir = await scratch.dataDir();
    const gantry = await launchGantry(dataDir, natsServer());
    const { postgres: url = '', nats: natsUrl } = gantry.said;
    await executeOnce(url, 'create table kept as select 42 as result');
    await gantry.kill();

    await withPostgres(dataDir, async (postgres) => {
      expect(postgres.url).toBe(url);
      expect(await executeOnce(postgres.url, 'select result from kept')).toEqual([{ result: 42 }]);
      const nats = await startEmbeddedNats({ dataDir, configuration: '', serverBin: natsServer(), log });
      expect(nats.url).toBe(natsUrl);
      await (await connect({ servers: nats.url })).close();
      await nats.stop();
    });
  });

  it('a surviving PostgreSQL is stopped first', async () => {
    const dataDir = await scratch.dataDir();
    const cluster = join(dataDir, 'postgres');
    const pidFile = join(cluster, 'postmaster.pid');
    const [program = '', ...args] = await withPostgres(dataDir, async ({ url }) => {
      await executeOnce(url, 'create table kept as select 42 as result');
      return (await commandLine(await firstNumber(pidFile))) ?? [];
    });
    const { uid, gid } = await stat(cluster);
    const account = process.getuid?.() === 0 ? { uid, gid } : {};
    const sockets = join(dataDir, 'run');
    await mkdir(sockets, { mode: 0o700 });
    await chown(sockets, uid, gid);
    const orphan = spawn(program, args, { ...account, cwd: cluster, stdio: 'ignore' });
    const isReady = (text: string) => text.startsWith(`${orphan.pid}\n`) && /^ready *$/m.test(text);
    await until(async () => isReady(await readFile(pidFile, 'utf8').catch(() => '')), 'the orphan');

    const rows = await withPostgres(dataDir, ({ url }) => executeOnce(url, 'select result from kept'));
    expect(rows).toEqual([{ result: 42 }]);
    expect(orphan.exitCode ?? orphan.signalCode).not.toBeNull();
  });

  it('a surviving nats-server is stopped first, but not another process that has its pid by now', async () => {
    const directory = await openDataDirectory(await scratch.dataDir());
    const options = { dataDir: directory.path, configuration: '', serverBin: natsServer(), log };
    const first = await startEmbeddedNats(options);
    await first.stop();
    const pidFile = join(directory.path, 'nats/nats-server.pid');
    const orphan = spawn(natsServer(), ['-c', join(directory.path, 'nats/nats.conf')], { stdio: 'ignore' });
    await until(async () => (await firstNumber(pidFile).catch(() => 0)) === orphan.pid, 'the orphan');

    const second = await startEmbeddedNats(options);
    expect(orphan.exitCode ?? orphan.signalCode).not.toBeNull();
    expect(second.url).toBe(first.url);
    await second.stop();

    const outsider = spawn('sleep', ['60']);
    await until(() => isRunning(outsider.pid ?? 0), 'the other process');
    await writeFile(pidFile, `${outsider.pid}`);
    await (await startEmbeddedNats(options)).stop();
    expect(await isRunning(outsider.pid ?? 0)).toBe(true);
    outsider.kill();
    await directory.release();
  });
});
