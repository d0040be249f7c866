// Puts a job into the queue within the caller's transaction: it exists if, and only if, that commits.
import type { EntityManager } from '../database/connection.ts';
import type { JobPayloads } from './payloads.ts';

export interface EnqueueOptions {
  /** A job that waits under the same key is replaced instead of being joined by another. */
  key?: string;
  /** Jobs of one queue run one after another, whichever replica runs them. */
  queue?: string;
  runAt?: Date;
}

export async function enqueueJob<Name extends keyof JobPayloads>(
  em: EntityManager,
  name: Name,
  payload: JobPayloads[Name],
  { key, queue, runAt }: EnqueueOptions = {},
): Promise<void> {
  await em.execute('select enqueue_job(?, ?::json, ?, ?, ?::timestamptz)', [
    name,
    JSON.stringify(payload),
    queue ?? null,
    key ?? null,
    runAt?.toISOString() ?? null,
  ]);
}

/** Has the host sent what waits for it: one relay of a host runs at a time, and one more waits at most. */
export function enqueueRelay(em: EntityManager, hostId: string): Promise<void> {
  const name = `relay ${hostId}`;
  return enqueueJob(em, 'relay-commands', { host_id: hostId }, { key: name, queue: name });
}
