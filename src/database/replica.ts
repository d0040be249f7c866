// Reads from a standby of the database while it is fresh enough, and otherwise from the primary.
import type { Logger } from 'pino';
import { isRefusal } from '../errors.ts';
import { clientConfig, LimitedPool, type DatabaseLimits } from './client.ts';
import { columnTypes } from './column-types.ts';
import { defaultPoolSize } from './connection.ts';
import { Reader, type Queries } from './reader.ts';
import type { Scope } from './scope.ts';

export interface ReplicaSettings {
  url: string;
  /** Reads go to the primary while the standby is further behind. */
  maxLagMs: number;
}

export type ReplicaOutcome = 'replica' | 'behind' | 'failed';

/** A standby that disappears must not delay reads for as long as the primary may. */
const limits: Partial<DatabaseLimits> = { connectMs: 2_000, silenceCheckMs: 1_000 };

/**
 * The position up to which the log of the primary is written, the history that it belongs to, and the database cluster
 * itself: positions of another history or cluster cannot be compared.
 */
const primaryState = `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as position,
  ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int as timeline,
  (select system_identifier from pg_control_system())::text as cluster`;

const standbyState = `select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as position,
  greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline) as timeline,
  pg_is_in_recovery() as is_standby, (select system_identifier from pg_control_system())::text as cluster
  from pg_control_checkpoint() as checkpoint, pg_control_recovery() as recovery`;

interface ServerState {
  position: string;
  timeline: number;
  cluster: string;
}

interface Sample {
  at: number;
  position: bigint;
}

interface ReplicaOptions {
  settings: ReplicaSettings;
  /** The pool and the reader of the primary. */
  primary: { pool: { query: LimitedPool['query'] }; reader: Reader };
  poolSize: number | undefined;
  onRead?: (outcome: ReplicaOutcome) => void;
  log: Logger;
}

export class Replica {
  readonly maxLagMs: number;
  readonly #options: ReplicaOptions;
  readonly #pool: LimitedPool;
  readonly #reader: Reader;
  /** Positions of the primary that the standby has not reached yet, oldest first. */
  #samples: Sample[] = [];
  /** Everything committed before this time is visible in the standby. */
  #freshUntil = -Infinity;
  #problem: string | undefined;

  constructor(options: ReplicaOptions) {
    const { settings, poolSize = defaultPoolSize, log } = options;
    this.#options = options;
    this.maxLagMs = settings.maxLagMs;
    // A fault of the standby says nothing about sessions of the primary: it has generations of its own.
    const config = clientConfig({ url: settings.url, serverKind: 'standby', limits });
    this.#pool = new LimitedPool({ ...config, max: poolSize, types: columnTypes, pipeline: true }, log);
    this.#reader = new Reader(this.#pool);
  }

  /** How old its rows may be; infinite before it was first compared with the primary. */
  get lagMs(): number {
    return performance.now() - this.#freshUntil;
  }

  /**
   * Reads from the standby if it shows everything that was committed before `since` and is not too far behind. What fails
   * or is refused there is read from the primary again: the standby may lack rows or columns that the primary has.
   */
  async read<T>(scope: Scope, since: number, work: (queries: Queries) => Promise<T>): Promise<T> {
    const { primary, onRead, log } = this.#options;
    if (this.lagMs > this.maxLagMs || this.#freshUntil < since) {
      onRead?.('behind');
      return primary.reader.read(scope, work);
    }
    try {
      const result = await this.#reader.read(scope, work);
      onRead?.('replica');
      return result;
    } catch (error) {
      if (isRefusal(error)) onRead?.('replica');
      else {
        onRead?.('failed');
        log.debug({ err: error }, 'a read of the replica failed; the primary is asked');
      }
      return primary.reader.read(scope, work);
    }
  }

  /** Compares the standby with the primary. Without success for `maxLagMs`, all reads go to the primary. */
  async compare(): Promise<void> {
    const { log } = this.#options;
    const problem = await this.#findProblem().catch((error: unknown) =>
      Error.isError(error) ? error.message : 'the comparison failed',
    );
    if (problem === this.#problem) return;
    this.#problem = problem;
    if (problem === undefined) log.info('the replica is used again');
    else log.warn({ problem }, 'the replica is not used; reads go to the primary');
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #findProblem(): Promise<string | undefined> {
    const at = performance.now();
    const primary = await one<ServerState>(this.#options.primary.pool, primaryState);
    const standby = await one<ServerState & { is_standby: boolean }>(this.#pool, standbyState);
    if (!standby.is_standby) return this.#refuse('it is no standby');
    if (standby.cluster !== primary.cluster) return this.#refuse('it belongs to another database cluster');
    if (standby.timeline !== primary.timeline) return this.#refuse('it follows a former primary');
    this.#samples.push({ at, position: BigInt(primary.position) });
    const replayed = BigInt(standby.position);
    const reached = this.#samples.findLastIndex(({ position }) => position <= replayed);
    const sample = this.#samples[reached];
    if (sample !== undefined) this.#freshUntil = sample.at;
    // Older positions cannot make it fresh enough any more.
    this.#samples = this.#samples.slice(reached + 1).filter((item) => at - item.at <= this.maxLagMs);
    return this.lagMs > this.maxLagMs ? 'it is too far behind' : undefined;
  }

  #refuse(problem: string): string {
    this.#samples = [];
    this.#freshUntil = -Infinity;
    return problem;
  }
}

async function one<Row extends object>(pool: { query: LimitedPool['query'] }, sql: string): Promise<Row> {
  const { rows } = await pool.query<Row>(sql);
  const [row] = rows;
  if (row === undefined) throw new Error('the server did not return its state');
  return row;
}
