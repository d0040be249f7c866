// Frees the jobs of dead processes and of ended runs; each process holds an advisory lock that its death releases.
import { randomInt } from 'node:crypto';
import pRetry from 'p-retry';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createClient, type ConnectionSettings } from '../database/client.ts';

/** First key of the advisory locks that represent processes. */
const lockClass = 7_261_640;
/** How long a process must be gone before its jobs are freed: one that merely lost its connection opens another. */
const defaultConfirmMs = 3_500;
/**
 * A process queries its ledger every few seconds, so a session that is silent for longer belongs to no live process.
 */
const defaultMaxSilenceSeconds = 60;
/** A worker registers before it takes a job, so jobs of unregistered workers are held by no process. */
const unknownWorkerMinutes = 5;

export interface WorkerLedgerOptions {
  database: ConnectionSettings;
  confirmMs?: number;
  maxSilenceSeconds?: number;
  log: Logger;
}

/** A connection and the number that it has locked. Numbers are never reused: the server may keep a lost session. */
interface Session {
  client: pg.Client;
  process: number;
}

export class WorkerLedger {
  readonly #options: WorkerLedgerOptions;
  /** Callbacks by worker, for when another process has freed the worker's jobs. */
  readonly #workers = new Map<string, () => void>();
  /** Workers that have ended and may still hold jobs. */
  readonly #ended = new Set<string>();
  /** Processes that held no lock at the last check, and since when. */
  #suspects = new Map<number, number>();
  readonly #closing = new AbortController();
  #session: Session | undefined;
  /** The lock lives on one connection, which runs one statement at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerLedgerOptions) {
    this.#options = options;
  }

  /**
   * Registers a worker of this process; the worker must not take a job before. `onLost` is called when another process
   * has freed its jobs: work that it still runs must stop.
   */
  register(workerId: string, onLost: () => void): Promise<void> {
    return this.#serialized(async ({ client, process }) => {
      await client.query(
        `insert into job_worker (worker_id, process) values ($1, $2)
         on conflict (worker_id) do update set process = excluded.process`,
        [workerId, process],
      );
      this.#workers.set(workerId, onLost);
    });
  }

  /**
   * Frees the jobs of workers of dead processes, of unregistered workers, and those that could not be freed when
   * workers of this process ended.
   */
  freeCrashed(): Promise<void> {
    return this.#serialized(async ({ client, process }) => {
      await this.#freeEnded(client);
      await this.#keepOwn(client, process);
      await this.#freeDead(client, process);
      await this.#freeUnknown(client);
    });
  }

  /**
   * Frees the jobs of ended workers of this process. Workers often end because the database is unavailable; the next
   * `freeCrashed` then retries.
   */
  release(workers: readonly string[]): Promise<void> {
    for (const worker of workers) {
      this.#workers.delete(worker);
      this.#ended.add(worker);
    }
    return this.#serialized(({ client }) => this.#freeEnded(client));
  }

  /** Also frees the jobs of workers that have not ended: they can no longer commit anything. */
  close(): Promise<void> {
    for (const worker of this.#workers.keys()) this.#ended.add(worker);
    this.#workers.clear();
    const closed = this.#serialized(async ({ client }) => {
      try {
        await this.#freeEnded(client);
      } finally {
        this.#session = undefined;
        await client.end();
      }
    });
    this.#closing.abort();
    return closed;
  }

  #serialized<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => work((this.#session ??= await this.#connect())));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Moves the workers to a new number: a lock that a former session still holds represents no process. */
  async #connect(): Promise<Session> {
    const { database, log } = this.#options;
    const client = createClient(database);
    const lost = () => {
      if (this.#session?.client !== client) return;
      this.#session = undefined;
      this.#reconnect();
    };
    client.on('error', (error) => {
      log.warn({ err: error }, 'the connection that stands for this process was lost');
      lost();
    });
    client.on('end', lost);
    try {
      await client.connect();
      const process = await lockNumber(client);
      await this.#keepOwn(client, process);
      return { client, process };
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** While this process holds no lock, other processes may take it for dead. */
  #reconnect(): void {
    const { log } = this.#options;
    pRetry(() => this.#serialized(async () => undefined), {
      retries: Infinity,
      minTimeout: 200,
      maxTimeout: 1_000,
      signal: this.#closing.signal,
    }).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) log.error({ err: error }, 'the worker ledger is not connected');
    });
  }

  /** Workers missing from the ledger were freed by a process that took this one for dead. */
  async #keepOwn(client: pg.Client, process: number): Promise<void> {
    const own = [...this.#workers.keys()];
    if (own.length === 0) return;
    const { rows } = await client.query<{ worker_id: string }>(
      `with moved as (update job_worker set process = $1 where worker_id = any($2) and process <> $1)
       select worker_id from job_worker where worker_id = any($2)`,
      [process, own],
    );
    const kept = new Set(rows.map(({ worker_id }) => worker_id));
    for (const worker of own.filter((id) => !kept.has(id))) {
      this.#options.log.error({ worker }, 'another process took this one for dead and freed its jobs');
      const onLost = this.#workers.get(worker);
      this.#workers.delete(worker);
      onLost?.();
    }
  }

  async #freeEnded(client: pg.Client): Promise<void> {
    const ended = [...this.#ended];
    if (ended.length === 0) return;
    await client.query(free('worker_id = any($1)'), [ended]);
    for (const worker of ended) this.#ended.delete(worker);
  }

  async #freeDead(client: pg.Client, own: number): Promise<void> {
    const { confirmMs = defaultConfirmMs, maxSilenceSeconds = defaultMaxSilenceSeconds } = this.#options;
    const { rows } = await client.query<{ process: number }>(processesWithoutLock, [
      own,
      lockClass,
      maxSilenceSeconds,
    ]);
    const now = performance.now();
    const known = this.#suspects;
    this.#suspects = new Map();
    for (const { process } of rows) {
      const since = known.get(process);
      if (since !== undefined && now - since >= confirmMs) await this.#freeProcess(client, process);
      else this.#suspects.set(process, since ?? now);
    }
  }

  async #freeProcess(client: pg.Client, process: number): Promise<void> {
    const { rows } = await client.query<{ workers: string[] | null }>(free('process = $1'), [process]);
    const workers = rows[0]?.workers;
    if (workers) this.#options.log.warn({ workers }, 'the jobs of a process that died are free');
  }

  async #freeUnknown(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ workers: string[] | null }>(freeUnknown);
    const workers = rows[0]?.workers;
    if (workers) this.#options.log.error({ workers }, 'jobs were held by workers that no process runs');
  }
}

/** Never waits: skips a number that another session holds. */
async function lockNumber(client: pg.Client): Promise<number> {
  for (;;) {
    const process = randomInt(1, 2 ** 31 - 1);
    const { rows } = await client.query<{ is_ours: boolean }>(
      'select pg_try_advisory_lock($1, $2) as is_ours',
      [lockClass, process],
    );
    if (rows[0]?.is_ours === true) return process;
  }
}

/** In one statement: a worker leaves the ledger exactly when its jobs are freed, and can commit nothing after that. */
const free = (condition: string) => `
  with gone as (delete from job_worker where ${condition} returning worker_id),
    list as (select array_agg(worker_id) as workers from gone)
  select workers, graphile_worker.force_unlock_workers(workers) from list`;

const processesWithoutLock = `
  select distinct process from job_worker
  where process <> $1 and not exists (
    select from pg_locks join pg_stat_activity as session using (pid)
    where locktype = 'advisory' and granted and objsubid = 2 and classid = $2 and objid = process::oid
      and pg_locks.database = (select oid from pg_database where datname = current_database())
      and coalesce(session.state_change, now()) > now() - make_interval(secs => $3)
  )`;

const freeUnknown = `
  with held as (
    select locked_by, locked_at from graphile_worker._private_jobs
    union all select locked_by, locked_at from graphile_worker._private_job_queues
  ), list as (
    select array_agg(distinct locked_by) as workers from held
    where locked_at < now() - interval '${unknownWorkerMinutes} minutes'
      and not exists (select from job_worker where worker_id = locked_by)
  )
  select workers, graphile_worker.force_unlock_workers(workers) from list where workers is not null`;
