// Lets transactions that must not run beside each other take turns.
import type { EntityManager } from './connection.ts';

/** Waits for every other transaction of that subject, and keeps later ones waiting until this one has ended. */
export async function holdTurn(em: EntityManager, subject: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [subject]);
}

/** Whether the turn could be had at once; it is kept until this transaction has ended. */
export async function tryTurn(em: EntityManager, subject: string): Promise<boolean> {
  const [lock] = await em.execute<{ free: boolean }[]>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as free',
    [subject],
  );
  return lock?.free === true;
}
