// Queues the notifications that events of alerts cause.
import type { EntityManager } from '../../database/connection.ts';

/** The types of events that notify channels. */
export const notifyingTypes = ['alert.raised', 'alert.reopened', 'alert.recovered'] as const;

export interface AlertEvent {
  seq: number;
  type: (typeof notifyingTypes)[number];
  alert_id: string;
}

/**
 * Call it once for each event, in the order of the log. Channels that heard of an alert hear of its recovery, and those
 * that heard of the recovery hear that it came back; otherwise receivers would believe the wrong thing.
 */
export async function queueNotifications(em: EntityManager, events: readonly AlertEvent[]): Promise<void> {
  for (const round of roundsOf(events)) await queueRound(em, round);
}

/** Each round has at most one event of an alert: what an event causes depends on the alert's earlier notifications. */
function roundsOf(events: readonly AlertEvent[]): AlertEvent[][] {
  const rounds: AlertEvent[][] = [];
  const counts = new Map<string, number>();
  for (const event of events) {
    const count = counts.get(event.alert_id) ?? 0;
    counts.set(event.alert_id, count + 1);
    (rounds[count] ??= []).push(event);
  }
  return rounds;
}

/** Locks the enabled channels: a channel that is being disabled concurrently gets no notification. */
async function queueRound(em: EntityManager, round: readonly AlertEvent[]): Promise<void> {
  await em.execute(
    `with listening as (
       select id, least_severity, from_seq from notification_channel where is_enabled order by id for share
     )
     insert into notification (channel_id, alert_id, event)
     select listening.id, alert.id, case event.type when 'alert.recovered' then 'recovered' else 'raised' end
     from jsonb_to_recordset(?::jsonb) as event(seq bigint, type text, alert_id uuid)
       join alert on alert.id = event.alert_id
       join listening on event.seq > listening.from_seq
       left join lateral (
         select former.event from notification as former
         where former.channel_id = listening.id and former.alert_id = alert.id and former.status <> 'cancelled'
         order by former.id desc limit 1
       ) as latest on true
     where case event.type
       when 'alert.raised' then latest.event is null
         and array_position(array['Info', 'Warning', 'Critical'], alert.severity)
           >= array_position(array['Info', 'Warning', 'Critical'], listening.least_severity)
       when 'alert.reopened' then latest.event = 'recovered'
       else latest.event = 'raised' end
     order by event.seq, listening.id`,
    [JSON.stringify(round)],
  );
}
