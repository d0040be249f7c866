// Brings the database up to date at start, one replica at a time.
import { runMigrations as migrateJobs } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import packageFile from '../../package.json' with { type: 'json' };
import { ConfigError } from '../process/environment.ts';
import { formerNames, migrations as ownMigrations, presentNames } from './migrations/index.ts';
import { clientConfig, createClient, LimitedPool, type ConnectionSettings } from './client.ts';
import { openOrm } from './connection.ts';
import { provideUuidv7 } from './uuidv7.ts';
import { withKeepalive, takeMigrationLock } from './migration-lock.ts';

/**
 * Creates missing partitions for last month, this month and the next two, and for the next two weeks of events. Late
 * reports may be days old. A database that a backup is restored into may not have all tables yet.
 */
export const createPartitions = `select create_month_partitions(parent, (current_date - interval '1 month')::date, 4)
  from unnest(array['audit_entry', 'instance_stats', 'instance_stats_5m', 'instance_stats_hour', 'instance_stats_packed',
    'player_event', 'player_session']) as parent
  where to_regclass(parent) is not null
  union all select create_day_partitions('event_log', current_date - 1, 16)`;

export type MigrationList = typeof ownMigrations;

export async function migrate(
  settings: ConnectionSettings,
  log: Logger,
  migrations: MigrationList = ownMigrations,
): Promise<void> {
  const client = createClient({ ...settings, isUnlimited: true });
  client.on('error', (error) => log.warn({ err: error }, 'the connection that migrates was lost'));
  await connect(client);
  try {
    await refuseOldServer(client);
    await refuseSharedSessions(client, settings);
    await takeMigrationLock(client, log);
    await adoptNames(client);
    await refuseNewerDatabase(client, migrations);
    const applied = await withKeepalive(client, async () => {
      await migrateQueue(settings, log);
      await provideUuidv7(client);
      return migrateTables(settings, log, migrations);
    });
    if (applied.length > 0) log.info({ migrations: applied.map(({ name }) => name) }, 'database migrated');
    await client.query(`comment on table migration is 'gantry ${packageFile.version}'`);
    await client.query(createPartitions);
  } catch (error) {
    // Errors of the server have a code and are rethrown; a lost connection has only a message.
    if (!Error.isError(error) || !error.message.startsWith('Connection terminated')) throw error;
    throw new ConfigError(`DATABASE_URL: ${error.message}`, { cause: error });
  } finally {
    await client.end();
  }
}

/**
 * Refuses a pooler in transaction mode: it would lose advisory locks, notifications and session settings. Such a pooler
 * gives the most recently used server connection away first, so a second client shows whether ours is exclusive.
 */
async function refuseSharedSessions(client: pg.Client, settings: ConnectionSettings): Promise<void> {
  const backend = async () => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid;
  };
  const before = await backend();
  const other = createClient({ ...settings, isUnlimited: true });
  other.on('error', () => undefined);
  await connect(other);
  try {
    await other.query('begin');
    if ((await backend()) === before) return;
  } finally {
    await other.end();
  }
  throw new ConfigError(
    'DATABASE_URL: the pooler in between changes the server connection between transactions; ' +
      'set it to session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL itself',
  );
}

/** Renames applied migrations that were renumbered since, so that they are not applied again. */
async function adoptNames(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query<{ known: string | null }>(
    `select to_regclass('migration') as known`,
  );
  if (tables[0]?.known === null) return;
  for (const [former, name] of formerNames)
    await client.query('update migration set name = $2 where name = $1', [former, name]);
}

/** Migrations cannot be reverted, and an older program could write rows that do not fit the newer schema. */
export async function refuseNewerDatabase(client: pg.Client, migrations: MigrationList): Promise<void> {
  const { rows: tables } = await client.query<{ program: string | null }>(
    `select obj_description(oid, 'pg_class') as program from pg_class where oid = to_regclass('migration')`,
  );
  if (tables[0] === undefined) return;
  const known = migrations.map(({ name }) => name);
  const { rows } = await client.query<{ name: string }>('select name from migration order by name desc');
  const unknown = presentNames(rows.map(({ name }) => name)).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ConfigError(
    `DATABASE_URL: the database was migrated by a newer program (${tables[0].program ?? 'gantry'}, migration ${unknown}); ` +
      `this is gantry ${packageFile.version}, which knows migrations up to ${known.toSorted().at(-1) ?? 'none'}. ` +
      'Start the newer program, or restore a backup from before its first start',
  );
}

/** Uses a separate connection without a statement timeout, but with a short lock timeout. */
async function migrateTables(settings: ConnectionSettings, log: Logger, migrations: MigrationList) {
  const config = clientConfig({ ...settings, isUnlimited: true, isMigrating: true });
  const orm = await openOrm(settings.url, new LimitedPool({ ...config, max: 1 }, log), { migrations, log });
  try {
    return await orm.migrator.up();
  } finally {
    await orm.close();
  }
}

async function migrateQueue(settings: ConnectionSettings, log: Logger): Promise<void> {
  const pgPool = new LimitedPool({ ...clientConfig({ ...settings, isUnlimited: true }), max: 1 }, log);
  try {
    await migrateJobs({ pgPool });
  } finally {
    await pgPool.end();
  }
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    throw new ConfigError(`DATABASE_URL: ${Error.isError(error) ? error.message : 'the connection failed'}`, {
      cause: error,
    });
  }
}

export const oldestServer = 15;

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  const version = rows[0]?.version ?? '';
  if (Number.parseInt(version, 10) < oldestServer) {
    throw new ConfigError(`DATABASE_URL: PostgreSQL ${oldestServer} or newer is needed, this is ${version}`);
  }
}
