// Access to one license's rows: reads and changes through it are limited to that license.
import type { Queries, Reader } from './reader.ts';
import type { Transactions, Work } from './transactions.ts';

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
