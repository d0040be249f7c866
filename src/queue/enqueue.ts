// Puts a job into the queue within the caller's transaction: it exists if, and only if, that commits.
import type { EntityManager } from '../database/connection.ts';
import type { JobPayloads } from './payloads.ts';

export interface EnqueueOptions {
  /** A job that waits under the same key is replaced instead of being joined by another. */
  key?: string;
  runAt?: Date;
  /** Shares the workers of the job's lane with the others; the license of the transaction or of the payload, or else the kind of job, unless given. */
  owner?: string;
}

export async function enqueueJob<Name extends keyof JobPayloads>(
  em: EntityManager,
  name: Name,
  payload: JobPayloads[Name],
  { key, runAt, owner }: EnqueueOptions = {},
): Promise<void> {
  await em.execute('select enqueue_job(?, ?::json, ?, ?::timestamptz, ?)', [
    name,
    JSON.stringify(payload),
    key ?? null,
    runAt?.toISOString() ?? null,
    owner ?? null,
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
export async function enqueueRelay(em: EntityManager, hostId: string, runAt?: Date): Promise<void> {
  const payload: JobPayloads['relay-commands'] = { host_id: hostId };
  await em.execute(
    `select enqueue_job('relay-commands', ?::json, ?, ?::timestamptz, license_id::text,
       case when is_silent then array['silent:' || license_id] end)
     from agent_host where id = ?`,
    [JSON.stringify(payload), `relay ${hostId}`, runAt?.toISOString() ?? null, hostId],
  );
}
