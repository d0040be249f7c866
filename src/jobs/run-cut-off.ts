// Cuts off runs of the queue whose time is over: their jobs are put back as if no worker had taken them.
import type { LimitedPool } from '../database/client.ts';

/** Passes the outcomes of a run's tasks to the queue until the run is cut off. */
export class CutOff {
  #isOver = false;

  end(): void {
    this.#isOver = true;
  }

  /** Settles as `work` does; never after the cut-off, because the queue would record a failure or delete the job. */
  async outcomeOf<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      if (this.#isOver) await new Promise<never>(() => undefined);
    }
  }
}

/** Puts back the jobs that these workers hold, without counting an attempt. Returns the number of jobs. */
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
    // Releasing with an error closes the connection, which rolls back a failed transaction.
    client.release(failure);
  }
}
