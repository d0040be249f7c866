// Replicas of a world's platform in their own processes, which tests kill.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Role } from '../../src/config/index.ts';
import { freePort } from './free-port.ts';
import { Program } from './processes.ts';
import { jwtSecret, type World } from './world.ts';

/** Starts one on the world's database and bus; it is killed with the world if it still runs. */
export async function startReplica(
  world: World,
  roles: readonly Role[],
  environment: Record<string, string> = {},
): Promise<Program> {
  const keys = join(world.mailDirectory, 'keys.json');
  await writeFile(keys, JSON.stringify(world.nats.keys), { mode: 0o600 });
  const replica = Program.platform({
    DATABASE_URL: world.database.url,
    NATS_URL: world.nats.url,
    GANTRY_NATS_KEYS: keys,
    GANTRY_BUS_PREFIX: world.nats.prefix,
    GANTRY_JWT_SECRET: jwtSecret,
    GANTRY_DATA_DIR: world.mailDirectory,
    GANTRY_PUBLIC_URL: world.platform.url ?? 'http://127.0.0.1:3000',
    GANTRY_STORAGE_DIR: world.storageDirectory,
    GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8',
    GANTRY_OUTBOUND_HTTP: 'true',
    GANTRY_ROLES: roles.join(),
    LOG_LEVEL: 'warn',
    ...environment,
  });
  world.atEnd(() => replica.signal('SIGKILL'));
  await replica.start();
  return replica;
}

/** An API replica and where it listens. */
export async function startApiReplica(
  world: World,
  environment: Record<string, string> = {},
): Promise<{ url: string; replica: Program }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { HOST: '127.0.0.1', PORT: String(port), GANTRY_PUBLIC_URL: url };
  return { url, replica: await startReplica(world, ['api'], { ...own, ...environment }) };
}
