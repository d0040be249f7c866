import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { openDataDirectory } from '../../../src/embedded/data-directory.ts';
import { startEmbeddedNats, type EmbeddedNats } from '../../../src/embedded/nats.ts';
import { until } from '../../support/until.ts';
import { firstNumber, log, natsServer, Scratch } from './scratch.ts';

describe('embedded nats-server', () => {
  const scratch = new Scratch();
  let dataDir: string;

  beforeAll(async () => {
    dataDir = (await openDataDirectory(await scratch.dataDir())).path;
  });
  afterAll(() => scratch.remove());

  async function withNats<T>(use: (nats: EmbeddedNats) => Promise<T>, configuration = ''): Promise<T> {
    const nats = await startEmbeddedNats({ dataDir, configuration, serverBin: natsServer(), log });
    try {
      return await use(nats);
    } finally {
      await nats.stop();
    }
  }

  it('listens on loopback, on the same port at every start', async () => {
    const first = await withNats(async ({ url }) => {
      const connection = await connect({ servers: url });
      expect(connection.info?.max_payload).toBe(1024 * 1024);
      expect(connection.info?.jetstream ?? false).toBe(false);
      await connection.close();
      return url;
    });
    expect(first).toMatch(/^nats:\/\/127\.0\.0\.1:\d+$/);
    expect(await withNats(({ url }) => Promise.resolve(url))).toBe(first);
    expect((await stat(join(dataDir, 'nats/nats.conf'))).mode & 0o777).toBe(0o600);
  });

  it('restarts on the same port when it is killed', async () => {
    await withNats(async ({ url }) => {
      const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
      const killed = await firstNumber(join(dataDir, 'nats/nats-server.pid'));
      process.kill(killed, 'SIGKILL');
      for await (const { type } of connection.status()) if (type === 'reconnect') break;
      await connection.flush();
      await connection.close();
      const pid = await until(() => firstNumber(join(dataDir, 'nats/nats-server.pid')), 'the new pid');
      expect(pid).not.toBe(killed);
    });
  });

  it('reports what is wrong with a configuration', async () => {
    await expect(withNats(() => Promise.resolve(), 'no_such_setting: 1')).rejects.toThrow(/no_such_setting/);
  });

  it('takes the rest of its configuration from the platform', async () => {
    const users = 'authorization { users = [ { user: "some", password: "body" } ] }';
    await withNats(async ({ url }) => {
      await expect(connect({ servers: url })).rejects.toThrow(/authorization/i);
      await (await connect({ servers: url, user: 'some', pass: 'body' })).close();
    }, users);
  });
});
