// Replicas that start concurrently on an empty database.
import { pino } from 'pino';
import { roles } from '../../src/config/index.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { startPlatform } from '../../src/platform.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { startTestNats } from '../support/nats.ts';
import { jwtSecret } from '../support/world.ts';

it('starts three replicas at once, migrates once and creates one first user', async () => {
  const [database, nats] = await Promise.all([createEmptyDatabase(), startTestNats()]);
  const start = () =>
    startPlatform({
      databaseUrl: database.url,
      bus: { ...nats, agentUrls: [nats.url] },
      allowOpenBus: false,
      jwtSecret,
      encryptionSecret: jwtSecret,
      mail: { smtpUrl: 'smtp://127.0.0.1:1', from: 'gantry@example.com', directory: '' },
      storage: { directory: '' },
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
  }
});
