// Enqueues a job within the caller's transaction: the job exists if, and only if, that commits.
import type { EntityManager } from '../database/connection.ts';
import type { JobPayloads } from './payloads.ts';

export interface EnqueueOptions {
  /** Replaces a waiting job with the same key instead of adding another. */
  key?: string;
  runAt?: Date;
  /**
   * Jobs of different owners share the workers of their lane fairly. Defaults to the license of the transaction or
   * payload, or else to the kind of job.
   */
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

/** Enqueues a rotation of the instance's backups; waiting rotations of one instance are merged. */
export function enqueueRotation(em: EntityManager, licenseId: string, instanceId: string): Promise<void> {
  return enqueueJob(
    em,
    'rotate-backups',
    { license_id: licenseId, instance_id: instanceId },
    { key: `rotate ${instanceId}` },
  );
}

/** Enqueues a relay of the host's waiting commands; waiting relays of one host are merged. */
export async function enqueueRelay(em: EntityManager, hostId: string, runAt?: Date): Promise<void> {
  await enqueueRelays(em, [hostId], runAt);
}

/** Enqueues a relay for each of the hosts, in one statement; none for a host that is named again. */
export async function enqueueRelays(
  em: EntityManager,
  hostIds: readonly string[],
  runAt?: Date,
): Promise<void> {
  await em.execute(
    `select enqueue_job('relay-commands', json_build_object('host_id', id), 'relay ' || id, ?::timestamptz,
       license_id::text, case when is_silent then array['silent:' || license_id] end)
     from agent_host where id = any(?::uuid[]) order by id`,
    [runAt?.toISOString() ?? null, `{${hostIds.join(',')}}`],
  );
}
