// Access to every license's rows, for sign-in, administration, agents and jobs. A test lists the files that may use it.
import type { Queries, Reader } from './reader.ts';
import type { Replica } from './replica.ts';
import type { Transactions, Work } from './transactions.ts';

/** Why work needs more than one license's rows. Each use of the scope is counted and logged with its reason. */
export const platformReasons = [
  'sign-in',
  'administration',
  'agents',
  'jobs',
  'events',
  'idempotency',
  'health',
  'downloads',
  'public',
  'sandboxes',
  'reselling',
] as const;
export type PlatformReason = (typeof platformReasons)[number];

export interface PlatformAccess {
  reason: PlatformReason;
  access: 'read' | 'write';
}

export class PlatformScope {
  readonly #transactions: Transactions;
  readonly #reader: Reader;
  readonly #onAccess: (access: PlatformAccess) => void;
  readonly #replica: Replica | undefined;

  constructor(
    transactions: Transactions,
    reader: Reader,
    onAccess: (access: PlatformAccess) => void = () => undefined,
    replica?: Replica,
  ) {
    this.#transactions = transactions;
    this.#reader = reader;
    this.#onAccess = onAccess;
    this.#replica = replica;
  }

  /** How old the rows of `readLagging` may be. */
  get maxLagMs(): number {
    return this.#replica?.maxLagMs ?? 0;
  }

  async read<T>(reason: PlatformReason, work: (queries: Queries) => Promise<T>): Promise<T> {
    this.#onAccess({ reason, access: 'read' });
    if (this.#transactions.current === undefined) return this.#reader.read(null, work);
    return this.#transactions.run(null, (_em, queries) => work(queries));
  }

  /** Reads rows that may be up to `maxLagMs` old. */
  async readLagging<T>(reason: PlatformReason, work: (queries: Queries) => Promise<T>): Promise<T> {
    if (this.#replica === undefined || this.#transactions.current !== undefined)
      return this.read(reason, work);
    this.#onAccess({ reason, access: 'read' });
    return this.#replica.read(null, -Infinity, work);
  }

  async transact<T>(reason: PlatformReason, work: Work<T>): Promise<T> {
    this.#onAccess({ reason, access: 'write' });
    return this.#transactions.run(null, work);
  }
}
