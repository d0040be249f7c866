// Runs read-only work on a pooled connection, with typed queries that are prepared once per connection.
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection as KyselyConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { Tables } from '../entities/index.ts';
import { openTenantScope, type Scope } from './transactions.ts';

export type Queries = Kysely<Tables>;

/** Statements kept prepared per connection; queries beyond run unprepared. */
const mostPrepared = 500;

export class Reader {
  readonly #pool: pg.Pool;
  readonly #queries = new WeakMap<pg.PoolClient, Queries>();
  readonly #statementNames = new Map<string, string>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Runs `work` in a read-only transaction of that scope. The statements that open it travel together with the
   * first query; should one of them fail, the server refuses that query too.
   */
  async read<T>(scope: Scope, work: (queries: Queries) => Promise<T>): Promise<T> {
    const opening = scope === null ? 'begin read only' : `begin read only; ${openTenantScope(scope)}`;
    const client = await this.#pool.connect();
    const opened = client.query(opening);
    opened.catch(() => undefined);
    try {
      const result = await work(this.#queriesOn(client));
      await opened;
      client.query('commit').then(
        () => client.release(),
        (error: Error) => client.release(error),
      );
      return result;
    } catch (error) {
      client.query('rollback').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      );
      throw error;
    }
  }

  #queriesOn(client: pg.PoolClient): Queries {
    let queries = this.#queries.get(client);
    if (queries === undefined) {
      const driver = new ClientDriver(client, (sql) => this.#statementName(sql));
      queries = new Kysely<Tables>({
        dialect: {
          createAdapter: () => new PostgresAdapter(),
          createDriver: () => driver,
          createIntrospector: (db) => new PostgresIntrospector(db),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        },
      });
      this.#queries.set(client, queries);
    }
    return queries;
  }

  #statementName(sql: string): string | undefined {
    let name = this.#statementNames.get(sql);
    if (name === undefined && this.#statementNames.size < mostPrepared) {
      name = `gantry_${this.#statementNames.size}`;
      this.#statementNames.set(sql, name);
    }
    return name;
  }
}

class ClientDriver implements Driver {
  readonly #connection: KyselyConnection;

  constructor(client: pg.PoolClient, statementName: (sql: string) => string | undefined) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const name = statementName(sql);
        const values = parameters as unknown[];
        const { rows } = await client.query(
          name === undefined ? { text: sql, values } : { name, text: sql, values },
        );
        return { rows: rows as R[] };
      },
      streamQuery() {
        throw new Error('streaming needs a connection of its own');
      },
    };
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<KyselyConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
  beginTransaction = refuseTransaction;
  commitTransaction = refuseTransaction;
  rollbackTransaction = refuseTransaction;
}

async function refuseTransaction(): Promise<void> {
  throw new Error('the reader runs its own transaction');
}
