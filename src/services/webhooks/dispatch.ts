// Leases webhooks with due deliveries to this process, the longest unserved first.
import type { EntityManager } from '../../database/connection.ts';
import { distinctOf } from '../../database/distinct-values.ts';
import { nextReceivers, LeaseRunner, type Claimed, type LeaseParts } from '../../leases/lease-runner.ts';
import { runReceiver, type RunParts } from './receiver-run.ts';

export type DispatchParts = RunParts & LeaseParts;

/** Covers one run, its last request and the recording of that request's outcome, with a margin. */
const leaseSeconds = 15;
const maxLeases = 64;
/** Receivers that hang use up the leases of their own license only. */
const maxLeasesOfLicense = 16;

export function webhookLeases(parts: DispatchParts): LeaseRunner {
  return new LeaseRunner(
    {
      what: 'webhooks',
      job: 'send-webhooks',
      table: 'webhook',
      maxLeases,
      lease,
      take: (ctx, webhookId, shouldContinue) => runReceiver(ctx, { webhookId, shouldContinue }, parts),
    },
    parts,
  );
}

function lease(em: EntityManager, leaseId: string, room: number): Promise<Claimed[]> {
  return em.execute<Claimed[]>(
    `with free as (
         ${nextReceivers(
           'webhook',
           `select webhook_id as id from ${distinctOf(['webhook_id'], 'webhook_delivery', `status = 'pending'`)} as waiting
            where exists (select from webhook_delivery as delivery
              where delivery.webhook_id = waiting.webhook_id and status = 'pending' and next_attempt_at <= now())`,
           'receiver.is_enabled and (receiver.rests_until is null or receiver.rests_until <= now())',
         )}
       )
       update webhook set turn_id = ?, served_at = now(), served_until = now() + make_interval(secs => ?)
       from free where webhook.id = free.id returning webhook.id, webhook.license_id`,
    [maxLeasesOfLicense, room, leaseId, leaseSeconds],
  );
}
