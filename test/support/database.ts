// Databases of their own for test files, and a look past every policy for assertions.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { until } from './until.ts';

/** On a machine with other work, nothing in a test is refused because its database was slow. */
export const patientLimits = { connectMs: 120_000, statementMs: 120_000, silenceMs: 130_000 };

/** Executes the statement on a connection of its own, and returns its rows. */
export async function executeOnce(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // A server that is killed meanwhile fails the statement as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  url: string;
  /** Sees every license's rows. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Runs the statement in a transaction of its own and starts `work`, which has to wait for its locks. Commits once
   * another session waits for exactly these locks, and returns the result of `work`. Fails if no session ever waits.
   */
  commitWhileWaiting<T>(sql: string, values: unknown[], work: () => PromiseLike<T>): Promise<T>;
  /** Does the work, which must not wait for it, while a transaction holds what the statement takes. */
  whileHeld<T>(sql: string, values: unknown[], work: () => PromiseLike<T>): Promise<T>;
  drop(): Promise<void>;
}

/** Where PostgreSQL listens on this machine, for a proxy in between. */
export function socketOf({ url }: TestDatabase): string {
  const { hostname, port } = new URL(url);
  return `${decodeURIComponent(hostname)}/.s.PGSQL.${port}`;
}

/** The same database behind a proxy on this machine. */
export function urlThrough(proxyPort: number, { url }: TestDatabase): string {
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(proxyPort);
  return through.href;
}

/** A migrated database without rows. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase('gantry_template');
}

/** A database that no migration has touched. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template1');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const server = process.env['GANTRY_TEST_DATABASE_URL'];
  if (server === undefined) throw new Error('the tests run under jest.config.js');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const { GANTRY_TEST_DATABASE_STRATEGY: strategy = 'wal_log' } = process.env;
  await executeOnce(server, `create database ${name} template ${template} strategy ${strategy}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  pool.on('error', () => undefined);
  return {
    url: url.href,
    query: async (sql, values) => (await pool.query(sql, values)).rows as never,
    commitWhileWaiting: async (sql, values, work) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query(sql, values);
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const result = Promise.resolve(work());
        result.catch(() => undefined);
        await until(async () => isWaitedFor(pool, rows[0]?.pid), 'waiting for the statement', 5_000);
        await client.query('commit');
        return await result;
      } finally {
        client.release(true);
      }
    },
    whileHeld: async (sql, values, work) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query(sql, values);
        return await work();
      } finally {
        await client.query('rollback');
        client.release();
      }
    },
    drop: async () => {
      await pool.end();
      await until(() => tryToDrop(server, name), `the end of ${name}`);
    },
  };
}

/** Whether it could be dropped: not while PostgreSQL vacuums it, which only a superuser may interrupt. */
async function tryToDrop(server: string, name: string): Promise<boolean> {
  try {
    await executeOnce(server, `drop database ${name} with (force)`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return false;
    throw error;
  }
}

/** Whether a session of the pool's database waits for a lock that the one with this process id holds. */
async function isWaitedFor(pool: pg.Pool, pid: number | undefined): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and $1::int = any(pg_blocking_pids(pid))`,
    [pid],
  );
  return rowCount !== null && rowCount > 0;
}
