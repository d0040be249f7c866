// Read-only access to one reseller's rows, and to the licenses that it has provisioned.
import type { Queries, Reader } from './reader.ts';
import type { Transactions } from './transactions.ts';

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
