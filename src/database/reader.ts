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
import { throwUnreadable } from './faults.ts';
import { openScope, type Scope } from './scope.ts';

export type Queries = Kysely<Tables>;

/** Maximum prepared statements per connection; further queries run unprepared. */
const maxPrepared = 500;

export class Reader {
  readonly #pool: pg.Pool;
  readonly #onDone: () => void;
  readonly #statementNames = new Map<string, string>();

  /** `onDone` is called after each read that has succeeded. */
  constructor(pool: pg.Pool, onDone: () => void = () => undefined) {
    this.#pool = pool;
    this.#onDone = onDone;
  }

  /**
   * Runs `work` in a read-only transaction of that scope. The opening statements are pipelined with the first query; if
   * one of them fails, the server refuses that query, too.
   */
  async read<T>(scope: Scope, work: (queries: Queries) => Promise<T>): Promise<T> {
    const opening = scope === null ? 'begin read only' : `begin read only; ${openScope(scope)}`;
    const client = await this.#pool.connect().catch(throwUnreadable);
    const opened = client.query(opening);
    opened.catch(() => undefined);
    const connection = new ReadConnection(client, (sql) => this.#statementName(sql));
    try {
      const result = await work(queriesOn(connection));
      await opened;
      connection.end('commit');
      this.#onDone();
      return result;
    } catch (error) {
      connection.end('rollback');
      return throwUnreadable(error);
    }
  }

  #statementName(sql: string): string | undefined {
    let name = this.#statementNames.get(sql);
    if (name === undefined && this.#statementNames.size < maxPrepared) {
      name = `gantry_${this.#statementNames.size}`;
      this.#statementNames.set(sql, name);
    }
    return name;
  }
}

/** A client that is valid for one read: a later query would run in another caller's transaction. */
class ReadConnection implements KyselyConnection {
  readonly #client: pg.PoolClient;
  readonly #statementName: (sql: string) => string | undefined;
  #hasEnded = false;

  constructor(client: pg.PoolClient, statementName: (sql: string) => string | undefined) {
    this.#client = client;
    this.#statementName = statementName;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#hasEnded) throw new Error('the read that this query belongs to has ended');
    const name = this.#statementName(sql);
    const values = parameters as unknown[];
    const { rows } = await this.#client.query(
      name === undefined ? { text: sql, values } : { name, text: sql, values },
    );
    return { rows: rows as R[] };
  }

  streamQuery(): never {
    throw new Error('streaming needs a connection of its own');
  }

  end(statement: 'commit' | 'rollback'): void {
    this.#hasEnded = true;
    this.#client.query(statement).then(
      () => this.#client.release(),
      (error: Error) => this.#client.release(error),
    );
  }
}

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();

function queriesOn(connection: KyselyConnection): Queries {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => new ReadDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  });
}

class ReadDriver implements Driver {
  readonly #connection: KyselyConnection;

  constructor(connection: KyselyConnection) {
    this.#connection = connection;
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
