// Opens the connections to PostgreSQL: the ORM for writes and a pipelined pool for reads.
import { MikroORM, type MigrationsOptions, type SqlEntityManager } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import type { Logger } from 'pino';
import { entities } from '../entities/index.ts';
import { clientConfig, LimitedPool, type DatabaseLimits } from './client.ts';
import { ReturningDialect } from './dialect.ts';
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

export interface DatabaseConnection {
  orm: MikroORM;
  pool: pg.Pool;
  close(): Promise<void>;
}

const int8 = 20;
const timestamptz = 1184;

/**
 * How column values arrive, for the ORM and for typed queries: bigint as number, because these columns hold counts and
 * bytes, all safe integers; times as the RFC 3339 text that the API returns.
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
    clientUrl: url,
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
  poolSize = 10,
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
