// Lets transactions that must not run beside each other take turns.
import type { EntityManager } from './connection.ts';

/** Waits for every other transaction of that subject, and keeps later ones waiting until this one has ended. */
export async function holdTurn(em: EntityManager, subject: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [subject]);
}
