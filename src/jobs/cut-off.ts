// Ends runs of the queue whose time is over: their jobs are put back as if no worker had taken them.
import type { LimitedPool } from '../database/client.ts';

/** What the tasks of a run come to reaches the queue until the run is cut off. */
export class CutOff {
  #isOver = false;

  end(): void {
    this.#isOver = true;
  }

  /** Settles as `work` does; never, once the run is cut off: the queue would record a failure or delete the job. */
  async outcomeOf<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      if (this.#isOver) await new Promise<never>(() => undefined);
    }
  }
}

/** Puts back the jobs that these workers hold, without an attempt counted. Returns how many there were. */
export async function putBack(pool: LimitedPool, workers: readonly string[]): Promise<number> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin');
    const { rowCount } = await client.query(
      `update graphile_worker._private_jobs set attempts = greatest(attempts - 1, 0), updated_at = now()
       where locked_by = any($1)`,
      [workers],
    );
    await client.query('select graphile_worker.force_unlock_workers($1)', [workers]);
    await client.query('commit');
    return rowCount ?? 0;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A transaction that failed is rolled back with its connection.
    client.release(failure);
  }
}
