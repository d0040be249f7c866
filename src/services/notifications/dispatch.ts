// Leases channels with due notifications to this process, the longest unserved first.
import type { Logger } from 'pino';
import type { Contexts } from '../../context.ts';
import { differentOf } from '../../database/different.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { nextReceivers, Turns, type Claimed } from '../../leases/lease-runner.ts';
import { takeTurn, type TurnParts } from './channel-run.ts';

export interface DispatchParts extends TurnParts {
  platform: PlatformScope;
  contexts: Contexts;
  log: Logger;
}

/** E-mail channels have leases of their own: a mail server that hangs delays no message to another service. */
const kindsOfTurns = {
  mail: { maxTurns: 8, maxTurnsOfLicense: 2, leaseSeconds: 45, isOfKind: `receiver.kind = 'email'` },
  services: { maxTurns: 64, maxTurnsOfLicense: 8, leaseSeconds: 15, isOfKind: `receiver.kind <> 'email'` },
} as const;

type TurnsOf = (typeof kindsOfTurns)[keyof typeof kindsOfTurns];

export function notificationTurns(parts: DispatchParts, of: keyof typeof kindsOfTurns): Turns {
  const limits = kindsOfTurns[of];
  return new Turns(
    {
      what: `channels of notifications by ${of}`,
      job: 'send-notifications',
      table: 'notification_channel',
      maxTurns: limits.maxTurns,
      lease: (turnId, room) => lease(parts.platform, { turnId, room, limits }),
      take: (ctx, channelId, mayGoOn) => takeTurn(ctx, channelId, mayGoOn, parts),
    },
    parts.contexts,
    parts.log,
  );
}

/** Leases channels whose next notification is due: those behind a delayed notification wait with it. */
function lease(
  platform: PlatformScope,
  { turnId, room, limits }: { turnId: string; room: number; limits: TurnsOf },
): Promise<Claimed[]> {
  return platform.transact('jobs', (em) =>
    em.execute<Claimed[]>(
      `with free as (
         ${nextReceivers(
           'notification_channel',
           `select channel_id as id from ${differentOf(['channel_id'], 'notification', `status = 'pending'`)} as waiting
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
      [limits.maxTurnsOfLicense, room, turnId, limits.leaseSeconds],
    ),
  );
}
