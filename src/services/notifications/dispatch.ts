// Leases channels with due notifications to this process, the longest unserved first.
import type { EntityManager } from '../../database/connection.ts';
import { distinctOf } from '../../database/distinct-values.ts';
import { nextReceivers, LeaseRunner, type Claimed, type LeaseParts } from '../../leases/lease-runner.ts';
import { runChannel, type RunParts } from './channel-run.ts';

export type DispatchParts = RunParts & LeaseParts;

/** E-mail channels have leases of their own: a mail server that hangs delays no message to another service. */
const leaseLimits = {
  mail: { maxLeases: 8, maxLeasesOfLicense: 2, leaseSeconds: 45, isOfKind: `receiver.kind = 'email'` },
  services: { maxLeases: 64, maxLeasesOfLicense: 8, leaseSeconds: 15, isOfKind: `receiver.kind <> 'email'` },
} as const;

type LeaseLimits = (typeof leaseLimits)[keyof typeof leaseLimits];

export function notificationLeases(parts: DispatchParts, of: keyof typeof leaseLimits): LeaseRunner {
  const limits = leaseLimits[of];
  return new LeaseRunner(
    {
      what: `channels of notifications by ${of}`,
      job: 'send-notifications',
      table: 'notification_channel',
      maxLeases: limits.maxLeases,
      lease: (em, leaseId, room) => lease(em, { leaseId, room, limits }),
      take: (ctx, channelId, shouldContinue) => runChannel(ctx, channelId, shouldContinue, parts),
    },
    parts,
  );
}

/** Leases channels whose next notification is due: those behind a delayed notification wait with it. */
function lease(
  em: EntityManager,
  { leaseId, room, limits }: { leaseId: string; room: number; limits: LeaseLimits },
): Promise<Claimed[]> {
  return em.execute<Claimed[]>(
    `with free as (
         ${nextReceivers(
           'notification_channel',
           `select channel_id as id from ${distinctOf(['channel_id'], 'notification', `status = 'pending'`)} as waiting
            cross join lateral (
              select next_attempt_at from notification
              where notification.channel_id = waiting.channel_id and status = 'pending'
              order by (event = 'test') desc, id limit 1
            ) as next
            where next.next_attempt_at <= now()`,
           limits.isOfKind,
         )}
       )
       update notification_channel as channel set turn_id = ?, served_at = now(),
         served_until = now() + make_interval(secs => ?)
       from free where channel.id = free.id returning channel.id, channel.license_id`,
    [limits.maxLeasesOfLicense, room, leaseId, limits.leaseSeconds],
  );
}
