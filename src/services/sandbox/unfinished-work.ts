// What a sandbox still has to do by the present time of its clock: until it is done, the clock does not move on.
import { sql } from 'kysely';
import type { Queries } from '../../database/reader.ts';
import { renewingStatuses } from '../modules/ownership.ts';
import { takesDeliveries } from '../store/deliveries/dispatch.ts';

export interface UnfinishedWork {
  /** Schedules or subscriptions are due that repeat: their next moment is not known before they were handled. */
  is_overdue: boolean;
  /** The simulated agent has commands to take. */
  has_commands: boolean;
  /** Jobs have to create commands: deliveries, and deletions of surplus backups. */
  has_jobs: boolean;
  /** Instances whose deliveries wait until their players are online. */
  awaited: { instance_id: string; name: string }[];
}

export async function unfinishedWork(
  queries: Queries,
  { licenseId, hostId, atMs }: { licenseId: string; hostId: string; atMs: number },
): Promise<UnfinishedWork> {
  const at = new Date(atMs);
  const { rows } = await sql<UnfinishedWork>`
    select
      exists (select from schedule where license_id = ${licenseId}
        and least(next_run_at, next_announcement_at) <= ${at})
      or exists (select from subscription where license_id = ${licenseId} and module_id is not null
        and status = any(${renewingStatuses}) and period_end <= ${at}) as is_overdue,
      exists (select from command where host_id = ${hostId} and status in ('queued', 'sent')
        and expires_at > now()) as has_commands,
      exists (select from store_delivery as waiting ${sql.raw(takesDeliveries)}
        where waiting.license_id = ${licenseId} and waiting.status = 'waiting' and waiting.next_attempt_at <= now())
      or exists (select from graphile_worker.jobs as job
        join game_instance as instance on job.key = 'rotate ' || instance.id
        where instance.license_id = ${licenseId} and job.run_at <= now() and job.attempts < job.max_attempts)
        as has_jobs,
      coalesce((select jsonb_agg(distinct jsonb_build_object('instance_id', instance.id, 'name', instance.name))
        from store_delivery as waiting join game_instance as instance on instance.id = waiting.instance_id
        where waiting.license_id = ${licenseId} and waiting.status = 'waiting_for_player'), '[]') as awaited
  `.execute(queries);
  const [found] = rows;
  if (found === undefined) throw new Error('the statement returns one row');
  return found;
}
