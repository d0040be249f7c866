// Opens the connections to PostgreSQL: the ORM for writes and a pipelined pool for reads.
import { MikroORM, type MigrationsOptions, type SqlEntityManager } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import type pg from 'pg';
import type { Logger } from 'pino';
import { entities } from '../entities/index.ts';
import { columnTypes } from './column-types.ts';
import { clientConfig, LimitedPool, type DatabaseLimits } from './client.ts';
import { ReturningDialect } from './dialect.ts';
import { serverUrls } from './servers.ts';
import { SessionGenerations } from './session-generations.ts';

/** The interface for writes. It does not expose the connection, which would bypass the transaction and its scope. */
export type EntityManager = Pick<
  SqlEntityManager,
  | 'assign'
  | 'count'
  | 'create'
  | 'execute'
  | 'find'
  | 'findOne'
  | 'findOneOrFail'
  | 'flush'
  | 'nativeDelete'
  | 'nativeUpdate'
  | 'persist'
  | 'remove'
  | 'upsert'
>;

export interface DatabaseOptions {
  url: string;
  /** Maximum connections of each of the two pools. */
  poolSize?: number;
  limits?: Partial<DatabaseLimits> | undefined;
  generations?: SessionGenerations | undefined;
  log: Logger;
}

/** Connections of each kind. */
export const defaultPoolSize = 10;

export interface DatabaseConnection {
  orm: MikroORM;
  pool: pg.Pool;
  close(): Promise<void>;
}

interface OrmOptions {
  migrations?: MigrationsOptions['migrationsList'];
  log: Logger;
}

/** The ORM then owns the pool and ends it when the ORM is closed. */
export function openOrm(
  url: string,
  pool: LimitedPool,
  { migrations = [], log }: OrmOptions,
): Promise<MikroORM> {
  return MikroORM.init({
    // Only for the name of the database: the pool connects.
    clientUrl: serverUrls(url)[0] ?? url,
    entities: [...entities],
    extensions: [Migrator],
    migrations: { migrationsList: migrations, tableName: 'migration', snapshot: false, transactional: true },
    driverOptions: new ReturningDialect({ pool }),
    logger: (message) => log.debug({ component: 'orm' }, message),
    forceUtcTimezone: true,
  });
}

export async function connectDatabase({
  url,
  poolSize = defaultPoolSize,
  limits,
  generations = new SessionGenerations(),
  log,
}: DatabaseOptions): Promise<DatabaseConnection> {
  const options = { ...clientConfig({ url, limits, generations }), max: poolSize, types: columnTypes };
  const orm = await openOrm(url, new LimitedPool(options, log), { log });
  const pool = new LimitedPool({ ...options, pipeline: true }, log);
  return {
    orm,
    pool,
    close: async () => {
      await Promise.all([orm.close(), pool.end()]);
    },
  };
}
