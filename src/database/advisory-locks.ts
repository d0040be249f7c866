// Serializes transactions that must not run concurrently, with advisory locks.
import type pg from 'pg';
import type { EntityManager } from './connection.ts';

/** Takes the subject's advisory lock, after waiting for its holder, and keeps it until this transaction has ended. */
export async function holdLock(em: EntityManager, subject: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [subject]);
}

/** As `holdLock`, but together with other sharers; `holdLock` and `tryLock` exclude them. */
export async function shareLock(client: pg.PoolClient, subject: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [subject]);
}

/** Whether the lock was free; if so, this transaction holds it until it has ended. */
export async function tryLock(em: EntityManager, subject: string): Promise<boolean> {
  return (await tryLocks(em, [subject])).has(subject);
}

/** Takes those of the locks that are free, until this transaction has ended, and returns their subjects. */
export async function tryLocks(em: EntityManager, subjects: string[]): Promise<Set<string>> {
  const rows = await em.execute<{ subject: string }[]>(
    `select subject from json_array_elements_text(?::json) as subject
     where pg_try_advisory_xact_lock(hashtextextended(subject, 0))`,
    [JSON.stringify(subjects)],
  );
  return new Set(rows.map(({ subject }) => subject));
}
