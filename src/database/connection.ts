// Opens the connections to PostgreSQL: the ORM for writes and a pipelined pool for reads.
import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import type { Logger } from 'pino';
import { entities } from '../entities/index.ts';
import { migrations } from '../entities/migrations/index.ts';

export type { EntityManager };

export interface DatabaseOptions {
  url: string;
  /** Most connections of each of the two pools. */
  poolSize?: number;
  log: Logger;
}

export interface DatabaseConnection {
  orm: MikroORM;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** The type of bigint columns; they hold counts and bytes here, all of them safe integers. */
const int8 = 20;

/** Parsers of the read pool. */
export const readTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : (pg.types.getTypeParser(oid, format) as unknown)) as never,
};

export async function connectDatabase({
  url,
  poolSize = 10,
  log,
}: DatabaseOptions): Promise<DatabaseConnection> {
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, tableName: 'migration', snapshot: false, transactional: true },
    pool: { max: poolSize },
    driverOptions: { options: sessionSettings, connectionTimeoutMillis: 10_000 },
    logger: (message) => log.debug({ component: 'orm' }, message),
    forceUtcTimezone: true,
  });
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types: readTypes,
    options: sessionSettings,
    connectionTimeoutMillis: 10_000,
    pipeline: true,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  return {
    orm,
    pool,
    close: async () => {
      await Promise.all([orm.close(), pool.end()]);
    },
  };
}

/** A statement that runs for longer than this is a fault of ours; a forgotten transaction must not hold locks. */
const sessionSettings = '-c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000';
