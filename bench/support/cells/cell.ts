// A cell: a whole installation whose PostgreSQL publishes its changes and subscribes to those of another cell.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../../../src/config/index.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { obtainInfrastructure, type Infrastructure } from '../../../src/embedded/infrastructure.ts';

export interface Cell extends Infrastructure {
  name: string;
  /** By TCP, with a password: subscriptions of a role that is no superuser need both. */
  tcpUrl: string;
  /** Lines in which PostgreSQL reports an error; applying changes has no other place to say what stopped it. */
  errors(): Promise<string[]>;
  /** The settings of a child process that uses these services. */
  settings: { databaseUrl: string; bus: Infrastructure['bus']; jwtSecret: string };
}

/** What the operator of a cell grants once; `wal_level` takes a restart. */
const rights = {
  settings: [`alter system set wal_level = 'logical'`],
  roles: [
    'alter role gantry replication',
    'grant pg_create_subscription to gantry',
    'grant set on parameter session_replication_role to gantry',
  ],
};

export async function openCell(name: string, jwtSecret?: string): Promise<Cell> {
  const dataDir = await mkdtemp(join(tmpdir(), `gantry-bench-${name}-`));
  const log = pino({ level: 'error' });
  const { HOME, PATH, XDG_CACHE_HOME, NATS_SERVER_BIN } = process.env;
  const config = readConfig({
    ...{ HOME, PATH, XDG_CACHE_HOME, NATS_SERVER_BIN, GANTRY_DATA_DIR: dataDir },
    // Secrets at rest and tokens are encrypted and signed with it, so cells that exchange licenses share it.
    ...(jwtSecret !== undefined && { GANTRY_JWT_SECRET: jwtSecret }),
  });
  const before = await obtainInfrastructure(config, log);
  const { port } = new URL(before.databaseUrl);
  const passwords = JSON.parse(await readFile(join(dataDir, 'postgres.passwords.json'), 'utf8')) as {
    gantry: string;
    postgres: string;
  };
  const superuser = new pg.Client(`postgres://postgres:${passwords.postgres}@127.0.0.1:${port}/gantry`);
  await superuser.connect();
  for (const statement of [...rights.settings, ...rights.roles]) await superuser.query(statement);
  await superuser.end();
  await before.stop();

  const infrastructure = await obtainInfrastructure(config, log);
  const { databaseUrl, bus } = infrastructure;
  await migrate({ url: databaseUrl }, log);
  return {
    ...infrastructure,
    name,
    tcpUrl: `postgres://gantry:${passwords.gantry}@127.0.0.1:${new URL(databaseUrl).port}/gantry`,
    errors: async () => {
      const text = await readFile(join(dataDir, 'logs/postgres.log'), 'utf8');
      return text.split('\n').filter((line) => / ERROR: /.test(line));
    },
    settings: { databaseUrl, bus, jwtSecret: infrastructure.jwtSecret },
    stop: async () => {
      await infrastructure.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
