// Makes sure that the partitions exist which an advance of a sandbox's clock reaches.
import type { EntityManager } from '../../database/connection.ts';
import { DomainError } from '../../errors.ts';
import { createSandboxPartitions, hasSandboxPartitions } from '../../sandbox/partitions.ts';

/** Other transactions may hold the table for as long as they run. */
const partitionWaitMs = 5_000;

type Transact = <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>;

/** Housekeeping creates partitions ahead; it may not have run since the first sandbox was created. */
export async function needPartitions(transact: Transact, untilMs: number): Promise<void> {
  const [found] = await transact((em) =>
    em.execute<{ exist: boolean }[]>(hasSandboxPartitions, [new Date(untilMs).toISOString()]),
  );
  if (found?.exist === true) return;
  await transact(async (em) => {
    await em.execute(`set local lock_timeout = '${partitionWaitMs}ms'`);
    await em.execute(createSandboxPartitions);
  }).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
    throw new DomainError('unavailable', 'The sandbox is being prepared; try again in some seconds.', {
      cause: error,
    });
  });
}

/** Whether the statement waited too long for a lock. */
const isLockTimeout = (error: unknown): boolean =>
  codeOf(error) === '55P03' || codeOf((error as Error).cause) === '55P03';

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;
