// Checks whether the database takes writes: standbys, read-only servers and servers with full disks do not.
import type pg from 'pg';
import { NotReady } from '../errors.ts';
import { causesOf, diskFull } from './faults.ts';
import type { SessionGenerations } from './session-generations.ts';

/** Writes more pages than a nearly full disk has left, so that it fails where other writes would. */
const probe = `
  create temporary table write_probe (filler text) on commit drop;
  insert into write_probe select repeat(md5(n::text), 16) from generate_series(1, 500) as n`;

export class WriteCheck {
  readonly #pool: pg.Pool;
  readonly #generations: SessionGenerations;
  #wasFull = false;

  constructor(pool: pg.Pool, generations: SessionGenerations) {
    this.#pool = pool;
    this.#generations = generations;
  }

  /** Call it with the error of every failed write: the check writes a probe only after a full disk. */
  recordFailure(error: unknown): void {
    if (causesOf(error).some(({ code }) => code === diskFull)) this.#wasFull = true;
  }

  /** Throws a `NotReady` if nothing can be written. */
  async check(): Promise<void> {
    if (await this.#isReadOnly()) {
      // Sessions from before or during the read-only state do not show whether a new one can write.
      this.#generations.outdate(this.#generations.current);
      if (await this.#isReadOnly()) throw new NotReady('nothing can be written');
    }
    if (!this.#wasFull) return;
    await this.#probe();
    this.#wasFull = false;
  }

  async #isReadOnly(): Promise<boolean> {
    const { rows } = await this.#pool.query<{ is_read_only: boolean }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`,
    );
    return rows[0]?.is_read_only === true;
  }

  async #probe(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      await client.query(probe);
    } catch (error) {
      if (causesOf(error).some(({ code }) => code === diskFull))
        throw new NotReady('the disk of the database is full');
      throw error;
    } finally {
      await client.query('rollback').then(
        () => client.release(),
        () => client.release(true),
      );
    }
  }
}
