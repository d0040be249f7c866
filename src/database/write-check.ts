// Whether the database takes writes: standbys and read-only servers take none, and neither do those whose disk is full.
import type pg from 'pg';
import { NotReady } from '../errors.ts';
import { causesOf, diskFull } from './faults.ts';
import type { SessionGenerations } from './session-generations.ts';

/** More than a disk has left that refuses others, in pages that no table has yet. */
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

  /** Tell it of every write that failed: only after a full disk does it write anything itself. */
  noteFailure(error: unknown): void {
    if (causesOf(error).some(({ code }) => code === diskFull)) this.#wasFull = true;
  }

  /** Throws a `NotReady` when nothing can be written. */
  async check(): Promise<void> {
    if (await this.#isReadOnly()) {
      // Of sessions from before it was so, or from while it was, none shows what a new one may do.
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
