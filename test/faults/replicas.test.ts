// Replicas that start concurrently on an empty database.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { roles } from '../../src/config/index.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { startPlatform } from '../../src/platform.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { startTestNats } from '../support/nats.ts';
import { startReplica } from '../support/replicas.ts';
import { jwtSecret, World } from '../support/world.ts';

it('starts three replicas at once, migrates once and creates one first user', async () => {
  const [database, nats] = await Promise.all([createEmptyDatabase(), startTestNats()]);
  const directory = await mkdtemp(join(tmpdir(), 'gantry-replicas-'));
  const start = () =>
    startPlatform({
      databaseUrl: database.url,
      bus: { ...nats, agentUrls: [nats.url] },
      allowOpenBus: false,
      jwtSecret,
      encryptionSecret: jwtSecret,
      mail: { smtpUrl: 'smtp://127.0.0.1:1', from: 'gantry@example.com', directory: '' },
      storage: { directory },
      roles: new Set(roles),
      host: '127.0.0.1',
      port: 0,
      heartbeatIntervalSeconds: 10,
      bootstrap: { email: 'admin@example.com', password: 'correct-horse-battery' },
      validateReplies: true,
      log: pino({ level: 'silent' }),
    });
  const replicas = await Promise.all([start(), start(), start()]);
  try {
    for (const { url } of replicas) expect((await fetch(`${url ?? ''}/readyz`)).status).toBe(200);
    expect(replicas.map(({ firstUser }) => firstUser.kind).sort()).toEqual(['created', 'exists', 'exists']);
    expect(await database.query('select email, is_super_admin from user_account')).toEqual([
      { email: 'admin@example.com', is_super_admin: true },
    ]);
    expect(await database.query('select count(*)::int as applied from migration')).toEqual([
      { applied: migrations.length },
    ]);
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await nats.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
});

it('starts no second replica on a directory of its own, in one line that names the setting', async () => {
  const world = await World.create();
  try {
    await (await startReplica(world, ['api', 'jobs'], { PORT: '0' })).signal('SIGTERM');
    const elsewhere = join(world.mailDirectory, 'elsewhere');
    const fault = await startReplica(world, ['api', 'jobs'], {
      PORT: '0',
      GANTRY_STORAGE_DIR: elsewhere,
    }).catch((error: unknown) => String(error));
    expect(fault).toMatch(
      /gantry: GANTRY_STORAGE_DIR: \S+elsewhere is not the storage of the other processes[^\n]*"gantry adopt-storage"[^\n]*\n?$/,
    );
    // It touches no files.
    await (
      await startReplica(world, ['ingest'], { PORT: '0', GANTRY_STORAGE_DIR: elsewhere })
    ).signal('SIGTERM');
  } finally {
    await world.close();
  }
});
