// Gives webhooks with something due their turns, the longest unserved first.
import type { Logger } from 'pino';
import type { Contexts } from '../../context.ts';
import { differentOf } from '../../database/different.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { Turns, type Claimed } from '../turns.ts';
import { takeTurn, type TurnParts } from './turn.ts';

export interface DispatchParts extends TurnParts {
  platform: PlatformScope;
  contexts: Contexts;
  log: Logger;
}

/** A turn, the last request that was begun in it, noting what came of it, and some. */
const leaseSeconds = 15;

export function webhookTurns(parts: DispatchParts): Turns {
  return new Turns(
    {
      what: 'webhooks',
      job: 'send-webhooks',
      table: 'webhook',
      lease: (turnId, room) => lease(parts.platform, turnId, room),
      take: (ctx, webhookId, mayGoOn) => takeTurn(ctx, { webhookId, mayGoOn }, parts),
    },
    parts.contexts,
    parts.log,
  );
}

function lease(platform: PlatformScope, turnId: string, room: number): Promise<Claimed[]> {
  return platform.transact('jobs', (em) =>
    em.execute<Claimed[]>(
      `with free as (
         select webhook.id from ${differentOf(['webhook_id'], 'webhook_delivery', `status = 'pending'`)} as waiting
         join webhook on webhook.id = waiting.webhook_id join license on license.id = webhook.license_id
         where webhook.is_enabled and license.status = 'active'
           and (served_until is null or served_until < now()) and (rests_until is null or rests_until <= now())
           and exists (select from webhook_delivery as delivery
             where delivery.webhook_id = webhook.id and status = 'pending' and next_attempt_at <= now())
         order by served_at nulls first limit ? for no key update of webhook skip locked
       )
       update webhook set turn_id = ?, served_at = now(), served_until = now() + make_interval(secs => ?)
       from free where webhook.id = free.id returning webhook.id, webhook.license_id`,
      [room, turnId, leaseSeconds],
    ),
  );
}
