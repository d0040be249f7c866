// Puts a job into the queue within the caller's transaction: it exists if, and only if, that commits.
import type { EntityManager } from '../database/connection.ts';
import type { JobPayloads } from './payloads.ts';

export interface EnqueueOptions {
  /** A job that waits under the same key is replaced instead of being joined by another. */
  key?: string;
  runAt?: Date;
}

export async function enqueueJob<Name extends keyof JobPayloads>(
  em: EntityManager,
  name: Name,
  payload: JobPayloads[Name],
  { key, runAt }: EnqueueOptions = {},
): Promise<void> {
  await em.execute('select enqueue_job(?, ?::json, ?, ?::timestamptz)', [
    name,
    JSON.stringify(payload),
    key ?? null,
    runAt?.toISOString() ?? null,
  ]);
}

/** Has the backups rotated; of the jobs that wait for the same instance one is enough. */
export function enqueueRotation(em: EntityManager, licenseId: string, instanceId: string): Promise<void> {
  return enqueueJob(
    em,
    'rotate-backups',
    { license_id: licenseId, instance_id: instanceId },
    { key: `rotate ${instanceId}` },
  );
}

/** Has the host sent what waits for it; of the relays that wait for the same host one is enough. */
export function enqueueRelay(em: EntityManager, hostId: string, runAt?: Date): Promise<void> {
  return enqueueJob(
    em,
    'relay-commands',
    { host_id: hostId },
    { key: `relay ${hostId}`, ...(runAt && { runAt }) },
  );
}
