// Access to every license's rows, for sign-in, administration, agents and jobs. A test lists the files that may use it.
import type { Queries, Reader } from './reader.ts';
import type { Transactions, Work } from './transactions.ts';

/** Why the work needs more than one license's rows; documentation only. */
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
