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
import pg from 'pg';
import type { Tables } from '../entities/index.ts';
import { columnTypes } from './column-types.ts';
import { isLostRace, throwUnreadable } from './faults.ts';
import { kindOf, narrowingOf, type Scope } from './scope.ts';
import { ScopedQuery, unnamed, type Statement } from './scoped-query.ts';

export type Queries = Kysely<Tables>;

/** Maximum prepared statements per connection, for each kind of scope; further queries are prepared for one use. */
const maxPrepared = 500;

/** Names the statements of a process; all its connections use the same names. */
class StatementNames {
  readonly #names = new Map<string, string>();

  nameOf(kind: string, sql: string): string {
    const key = `${kind} ${sql}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    if (this.#names.size >= maxPrepared) return unnamed;
    const name = `gantry_${this.#names.size}`;
    this.#names.set(key, name);
    return name;
  }
}

export class Reader {
  readonly #pool: pg.Pool;
  readonly #onDone: () => void;
  readonly #names = new StatementNames();

  /** `onDone` is called after each read that has succeeded. */
  constructor(pool: pg.Pool, onDone: () => void = () => undefined) {
    this.#pool = pool;
    this.#onDone = onDone;
  }

  /**
   * Runs `work`, each of whose queries is a read-only transaction of that scope. They share one connection, but no
   * snapshot.
   */
  async read<T>(scope: Scope, work: (queries: Queries) => Promise<T>): Promise<T> {
    // An invalid id takes no connection.
    narrowingOf(scope);
    const client = await this.#pool.connect().catch(throwUnreadable);
    const connection = new ReadConnection(client, scope, this.#names);
    try {
      const result = await work(queriesOn(connection));
      this.#onDone();
      return result;
    } catch (error) {
      return throwUnreadable(error);
    } finally {
      connection.end();
    }
  }
}

/** A client that is valid for one read: a later query would use a connection that another caller holds. */
class ReadConnection implements KyselyConnection {
  readonly #client: pg.PoolClient;
  readonly #scope: Scope;
  readonly #names: StatementNames;
  #pendingCount = 0;
  #hasEnded = false;
  #isBroken = false;

  constructor(client: pg.PoolClient, scope: Scope, names: StatementNames) {
    this.#client = client;
    this.#scope = scope;
    this.#names = names;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#hasEnded) throw new Error('the read that this query belongs to has ended');
    const name = this.#names.nameOf(kindOf(this.#scope), sql);
    const statement = { name, sql, values: parameters };
    this.#pendingCount += 1;
    try {
      const rows = await this.#run(statement).catch((error: unknown) => {
        // Each read is a transaction of its own that changes nothing. A statement that failed is prepared again.
        if (!isLostRace(error) && !isOutdated(error)) throw error;
        return this.#run(statement);
      });
      return { rows: rows as R[] };
    } catch (error) {
      if (!isOfStatement(error)) this.#isBroken = true;
      // Otherwise the trace would lead to the socket.
      if (Error.isError(error)) Error.captureStackTrace(error);
      throw error;
    } finally {
      this.#pendingCount -= 1;
      this.#release();
    }
  }

  #run(statement: Statement): Promise<object[]> {
    return new Promise((resolve, reject) => {
      this.#client.query(
        new ScopedQuery(this.#scope, statement, columnTypes, (error, rows) =>
          error === null ? resolve(rows) : reject(error),
        ),
      );
    });
  }

  streamQuery(): never {
    throw new Error('streaming needs a connection of its own');
  }

  end(): void {
    this.#hasEnded = true;
    this.#release();
  }

  /** Work may end before its queries, if one of several fails. */
  #release(): void {
    if (this.#hasEnded && this.#pendingCount === 0) this.#client.release(this.#isBroken);
  }
}

/** Whether the statement's result has other columns since a migration, or the session does not know the statement. */
function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '0A000' || error.code === '26000');
}

/** Whether the error concerns the statement only, so that the connection remains usable. */
function isOfStatement(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return !/^(?:08|57P|XX)/.test(error.code ?? '') && !isOutdated(error);
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
