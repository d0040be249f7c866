// Gives channels with something to tell their turns, the longest unserved first.
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

/** A turn, the last attempt that was begun in it, noting what came of it, and some; mail servers take their time. */
const leaseSeconds = 15;
const mailLeaseSeconds = 90;

export function notificationTurns(parts: DispatchParts): Turns {
  return new Turns(
    {
      what: 'channels of notifications',
      job: 'send-notifications',
      table: 'notification_channel',
      lease: (turnId, room) => lease(parts.platform, turnId, room),
      take: (ctx, channelId, mayGoOn) => takeTurn(ctx, channelId, mayGoOn, parts),
    },
    parts.contexts,
    parts.log,
  );
}

/** Those whose next one is due: what comes after one that has to wait waits with it. */
function lease(platform: PlatformScope, turnId: string, room: number): Promise<Claimed[]> {
  return platform.transact('jobs', (em) =>
    em.execute<Claimed[]>(
      `with free as (
         select channel.id from ${differentOf(['channel_id'], 'notification', `status = 'pending'`)} as waiting
         join notification_channel as channel on channel.id = waiting.channel_id
         join license on license.id = channel.license_id
         cross join lateral (
           select next_attempt_at from notification where channel_id = channel.id and status = 'pending'
           order by (event = 'test') desc, id limit 1
         ) as next
         where next.next_attempt_at <= now() and license.status = 'active'
           and (served_until is null or served_until < now())
         order by served_at nulls first limit ? for no key update of channel skip locked
       )
       update notification_channel as channel set turn_id = ?, served_at = now(),
         served_until = now() + make_interval(secs => case channel.kind when 'email' then ?::integer else ? end)
       from free where channel.id = free.id returning channel.id, channel.license_id`,
      [room, turnId, mailLeaseSeconds, leaseSeconds],
    ),
  );
}
