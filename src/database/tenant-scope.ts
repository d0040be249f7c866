// Access to the rows of one license, or to those of one reseller.
import type { Queries, Reader } from './reader.ts';
import type { Transactions, Work } from './transactions.ts';

/** Reads and changes through it are limited to one license. */
export class TenantScope {
  readonly #transactions: Transactions;
  readonly #reader: Reader;

  constructor(transactions: Transactions, reader: Reader) {
    this.#transactions = transactions;
    this.#reader = reader;
  }

  async read<T>(licenseId: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    if (this.#transactions.current === undefined) return this.#reader.read({ licenseId }, work);
    return this.#transactions.run({ licenseId }, (_em, queries) => work(queries));
  }

  async transact<T>(licenseId: string, work: Work<T>): Promise<T> {
    return this.#transactions.run({ licenseId }, work);
  }
}

/** Read-only: one reseller and the licenses that it has provisioned. */
export class ResellerScope {
  readonly #transactions: Transactions;
  readonly #reader: Reader;

  constructor(transactions: Transactions, reader: Reader) {
    this.#transactions = transactions;
    this.#reader = reader;
  }

  async read<T>(resellerId: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    if (this.#transactions.current === undefined) return this.#reader.read({ resellerId }, work);
    return this.#transactions.run({ resellerId }, (_em, queries) => work(queries));
  }
}
