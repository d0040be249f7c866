// Frees the jobs of processes that died: each process holds a lock that its death releases.
import { randomInt } from 'node:crypto';
import pg from 'pg';

/** First half of the advisory locks that stand for processes. */
const lockClass = 7_261_640;

export interface WorkerLedger {
  /** Notes that this process runs that worker. */
  register(workerId: string): Promise<void>;
  /** Frees what workers of dead processes hold. */
  freeCrashed(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkerLedger(url: string): Promise<WorkerLedger> {
  const process = randomInt(1, 2 ** 31 - 1);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('select pg_advisory_lock($1, $2)', [lockClass, process]);

  /** The lock lives on this one connection, which takes one statement at a time. */
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  async function freeCrashed(): Promise<void> {
    const { rows } = await client.query<{ process: number; workers: string[] }>(
      'select process, array_agg(worker_id) as workers from job_worker where process <> $1 group by process',
      [process],
    );
    for (const { process: other, workers } of rows) {
      const { rows: locks } = await client.query<{ free: boolean }>(
        'select pg_try_advisory_lock($1, $2) as free',
        [lockClass, other],
      );
      if (locks[0]?.free !== true) continue;
      await client.query('select graphile_worker.force_unlock_workers($1)', [workers]);
      await client.query('delete from job_worker where process = $1', [other]);
      await client.query('select pg_advisory_unlock($1, $2)', [lockClass, other]);
    }
  }

  return {
    register: (workerId) =>
      inTurn(async () => {
        await client.query(
          'insert into job_worker (worker_id, process) values ($1, $2) on conflict do nothing',
          [workerId, process],
        );
      }),
    freeCrashed: () => inTurn(freeCrashed),
    close: () =>
      inTurn(async () => {
        await client.query('delete from job_worker where process = $1', [process]);
        await client.end();
      }),
  };
}
