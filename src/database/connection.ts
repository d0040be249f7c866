// Opens the connections to PostgreSQL: the ORM for writes and a pipelined pool for reads.
import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import type { Logger } from 'pino';
import { entities } from '../entities/index.ts';
import { migrations } from '../entities/migrations/index.ts';
import { ReturningDialect } from './dialect.ts';

/** What writes are made with. It offers no way to the connection, which would lead past the transaction and its scope. */
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
  /** Most connections of each of the two pools. */
  poolSize?: number;
  log: Logger;
}

export interface DatabaseConnection {
  orm: MikroORM;
  pool: pg.Pool;
  close(): Promise<void>;
}

const int8 = 20;
const timestamptz = 1184;

/**
 * How columns arrive, for the ORM and for typed queries alike: bigint as number, because these columns hold counts and
 * bytes, all of them safe integers; times as the RFC 3339 text that the API answers.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary'): unknown => {
    if (oid === int8) return Number;
    if (oid === timestamptz) return rfc3339;
    return pg.types.getTypeParser(oid, format);
  }) as never,
};

/** PostgreSQL writes `2026-11-21 10:00:00.123456+00` in sessions whose time zone is UTC. */
function rfc3339(text: string): string {
  const milliseconds = text.charAt(19) === '.' ? text.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

export async function connectDatabase({
  url,
  poolSize = 10,
  log,
}: DatabaseOptions): Promise<DatabaseConnection> {
  const options: pg.PoolConfig = {
    connectionString: url,
    max: poolSize,
    types: columnTypes,
    options: sessionSettings,
    connectionTimeoutMillis: 10_000,
  };
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [...entities],
    extensions: [Migrator],
    migrations: { migrationsList: migrations, tableName: 'migration', snapshot: false, transactional: true },
    driverOptions: new ReturningDialect({ pool: createPool(options, log) }),
    logger: (message) => log.debug({ component: 'orm' }, message),
    forceUtcTimezone: true,
  });
  const pool = createPool({ ...options, pipeline: true }, log);
  return {
    orm,
    pool,
    close: async () => {
      await Promise.all([orm.close(), pool.end()]);
    },
  };
}

function createPool(options: pg.PoolConfig, log: Logger): pg.Pool {
  const pool = new pg.Pool(options);
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection was lost');
  pool.on('error', lost);
  // The pool listens to idle clients only; one that is lost while in use would end the process.
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
}

/** Times are written in UTC. A statement that runs for longer than this is a fault of ours; a forgotten transaction must not hold locks. */
export const sessionSettings =
  '-c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000';
