// Frees the jobs of processes that died, each of which holds a lock that its death releases, and of runs that ended.
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createClient, type ConnectionSettings } from '../database/client.ts';

/** First half of the advisory locks that stand for processes. */
const lockClass = 7_261_640;

export class WorkerLedger {
  readonly #settings: ConnectionSettings;
  readonly #log: Logger;
  readonly #process = randomInt(1, 2 ** 31 - 1);
  readonly #workers = new Set<string>();
  /** Workers that have ended and may still hold jobs. */
  readonly #ended = new Set<string>();
  #client: pg.Client | undefined;
  /** The lock lives on one connection, which takes one statement at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: ConnectionSettings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Notes that this process runs that worker. */
  register(workerId: string): Promise<void> {
    this.#workers.add(workerId);
    return this.#inTurn(async (client) => this.#note(client, [workerId]));
  }

  /** Frees what workers of dead processes hold, and what could not be freed when workers of this one ended. */
  freeCrashed(): Promise<void> {
    return this.#inTurn(async (client) => {
      await this.#freeEnded(client);
      const { rows } = await client.query<{ process: number; workers: string[] }>(
        'select process, array_agg(worker_id) as workers from job_worker where process <> $1 group by process',
        [this.#process],
      );
      for (const { process, workers } of rows) await freeIfDead(client, process, workers);
    });
  }

  /**
   * Frees what workers of this process hold that have ended. They often end because the database is away: what can not
   * be freed now is freed by the next `freeCrashed`.
   */
  release(workers: readonly string[]): Promise<void> {
    for (const worker of workers) {
      this.#workers.delete(worker);
      this.#ended.add(worker);
    }
    return this.#inTurn((client) => this.#freeEnded(client));
  }

  close(): Promise<void> {
    return this.#inTurn(async (client) => {
      try {
        await this.#freeEnded(client);
        await client.query('delete from job_worker where process = $1', [this.#process]);
      } finally {
        this.#client = undefined;
        await client.end();
      }
    });
  }

  #inTurn<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => work((this.#client ??= await this.#connect())));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** A connection that holds this process's lock; after a loss the next use makes another and notes the workers anew. */
  async #connect(): Promise<pg.Client> {
    const client = createClient(this.#settings);
    const lost = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', (error) => {
      this.#log.warn({ err: error }, 'the connection that stands for this process was lost');
      lost();
    });
    client.on('end', lost);
    try {
      await client.connect();
      await client.query('select pg_advisory_lock($1, $2)', [lockClass, this.#process]);
      await this.#note(client, [...this.#workers]);
    } catch (error) {
      await client.end();
      throw error;
    }
    return client;
  }

  async #freeEnded(client: pg.Client): Promise<void> {
    const ended = [...this.#ended];
    if (ended.length === 0) return;
    await client.query('select graphile_worker.force_unlock_workers($1)', [ended]);
    await client.query('delete from job_worker where worker_id = any($1)', [ended]);
    for (const worker of ended) this.#ended.delete(worker);
  }

  async #note(client: pg.Client, workers: string[]): Promise<void> {
    await client.query(
      'insert into job_worker (worker_id, process) select unnest($1::text[]), $2 on conflict do nothing',
      [workers, this.#process],
    );
  }
}

async function freeIfDead(client: pg.Client, process: number, workers: string[]): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1, $2) as free', [
    lockClass,
    process,
  ]);
  if (rows[0]?.free !== true) return;
  await client.query('select graphile_worker.force_unlock_workers($1)', [workers]);
  await client.query('delete from job_worker where process = $1', [process]);
  await client.query('select pg_advisory_unlock($1, $2)', [lockClass, process]);
}
