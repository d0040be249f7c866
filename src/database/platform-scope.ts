// The door to every license's rows, for sign-in, administration, agents and jobs. Few files may use it; a test lists them.
import type { Queries, Reader } from './reader.ts';
import type { Transactions, Work } from './transactions.ts';

/** Why work needs more than one license's rows; it is for readers of the code. */
export type Reason =
  | 'sign-in'
  | 'administration'
  | 'agents'
  | 'jobs'
  | 'idempotency'
  | 'health'
  | 'downloads'
  | 'public'
  | 'reselling';

export class PlatformScope {
  readonly #transactions: Transactions;
  readonly #reader: Reader;

  constructor(transactions: Transactions, reader: Reader) {
    this.#transactions = transactions;
    this.#reader = reader;
  }

  async read<T>(_reason: Reason, work: (queries: Queries) => Promise<T>): Promise<T> {
    if (this.#transactions.current === undefined) return this.#reader.read(null, work);
    return this.#transactions.run(null, (_em, queries) => work(queries));
  }

  async transact<T>(_reason: Reason, work: Work<T>): Promise<T> {
    return this.#transactions.run(null, work);
  }
}
