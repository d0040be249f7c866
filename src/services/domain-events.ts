// What happens within a license that others may want to hear of, written where and when it becomes true.
import type { Schemas } from '../contract-types.ts';
import type { EntityManager } from '../database/connection.ts';

type Told = Schemas['PlayerBannedEvent'] | Schemas['ServerDownEvent'] | Schemas['WipeCompletedEvent'];

/** The events there are, with what is told of each. */
export type DomainEvents = { [Event in Told as Event['type']]: Event['data'] };

export interface Occurrence<Kind extends keyof DomainEvents> {
  licenseId: string;
  /** What it happened to; of each subject an event of a kind is kept once, however often it is recorded. */
  subjectId: string;
  data: DomainEvents[Kind];
}

/**
 * Call it in the transaction that makes it true: with it, and only with it, the event goes to the webhooks. One that is
 * being disabled meanwhile is waited for: it gets nothing any more.
 */
export async function recordEvent<Kind extends keyof DomainEvents>(
  em: EntityManager,
  kind: Kind,
  { licenseId, subjectId, data }: Occurrence<Kind>,
): Promise<void> {
  await em.execute(
    `with event as (
       insert into domain_event (license_id, kind, subject_id, data) values (?, ?, ?, ?::jsonb)
       on conflict (license_id, kind, subject_id) do nothing returning *
     ), listening as (
       select id from webhook where license_id = ? and is_enabled and ? = any(events) order by id for share
     )
     insert into webhook_delivery (license_id, webhook_id, event, event_id, body)
     select event.license_id, listening.id, event.kind, event.id, json_build_object(
       'id', event.id, 'type', event.kind,
       'occurred_at', to_char(event.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       'license_id', event.license_id, 'data', event.data)::text
     from event cross join listening`,
    [licenseId, kind, subjectId, JSON.stringify(data), licenseId, kind],
  );
}
