// Access to the rows of one license, or to those of one reseller.
import type { LRUCache } from 'lru-cache';
import { growingCache } from '../process/growing-cache.ts';
import type { Queries, Reader } from './reader.ts';
import type { Replica } from './replica.ts';
import type { Transactions, Work } from './transactions.ts';

/** Maximum number of licenses that are known to have changed within a few seconds. */
const maxChanges = 100_000;

/** Reads and changes through it are limited to one license. */
export class TenantScope {
  readonly #transactions: Transactions;
  readonly #reader: Reader;
  readonly #replica: Replica | undefined;
  /** When a caller last changed each license, for as long as a replica may lack the change. */
  readonly #changes: LRUCache<string, number> | undefined;

  constructor(transactions: Transactions, reader: Reader, replica?: Replica) {
    this.#transactions = transactions;
    this.#reader = reader;
    this.#replica = replica;
    if (replica !== undefined)
      this.#changes = growingCache({ maxEntries: maxChanges, ttl: replica.maxLagMs });
  }

  async read<T>(licenseId: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    if (this.#transactions.current === undefined) return this.#reader.read({ licenseId }, work);
    return this.#transactions.run({ licenseId }, (_em, queries) => work(queries));
  }

  /**
   * Reads rows that may be as old as the replica's limit allows, but have every change that was recorded by
   * `recordChange`.
   */
  async readLagging<T>(licenseId: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    if (this.#replica === undefined || this.#transactions.current !== undefined)
      return this.read(licenseId, work);
    return this.#replica.read({ licenseId }, this.#changes?.get(licenseId) ?? -Infinity, work);
  }

  /** A caller has changed the license: later reads of this process show it. */
  recordChange(licenseId: string): void {
    this.#changes?.set(licenseId, performance.now());
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
