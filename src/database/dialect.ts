// PostgreSQL for the ORM's queries, on a pool that gets every connection back, also one that died in a transaction.
import {
  PostgresDialect,
  PostgresDriver,
  type DatabaseConnection,
  type PostgresDialectConfig,
  type TransactionSettings,
} from 'kysely';

/** Kysely gives a transaction's connection back only after a begin and a rollback that succeed; a dead one never would. */
class ReturningDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    try {
      await super.beginTransaction(connection, settings);
    } catch (error) {
      await this.releaseConnection(connection as never);
      throw error;
    }
  }

  /** The transaction of a connection that can't be told to roll back has died with it. The pool discards it. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

export class ReturningDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): ReturningDriver {
    return new ReturningDriver(this.#config);
  }
}
