// Events of a license for its webhooks, recorded in the transaction that causes them.
import type { Schemas } from '../platform-contract/types.ts';
import type { EntityManager } from '../database/connection.ts';

type PublishedEvent =
  Schemas['PlayerBannedEvent'] | Schemas['ServerDownEvent'] | Schemas['WipeCompletedEvent'];

/** The kinds of events, with their data. */
export type DomainEvents = { [Event in PublishedEvent as Event['type']]: Event['data'] };

export interface Occurrence<Kind extends keyof DomainEvents> {
  licenseId: string;
  /** The subject of the event. An event of a kind is stored once per subject, however often it is recorded. */
  subjectId: string;
  data: DomainEvents[Kind];
}

/** The body that is sent for a row of `domain_event`. */
export const eventBody = (event: string): string => `json_build_object(
  'id', ${event}.id, 'type', ${event}.kind,
  'occurred_at', to_char(${event}.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'license_id', ${event}.license_id, 'data', ${event}.data)::text`;

/**
 * Call it in the transaction that causes the event, so that the event is delivered if and only if that commits. Waits
 * for a webhook that is being enabled or disabled, so that each webhook gets an event either completely or not at all.
 */
export function recordEvent<Kind extends keyof DomainEvents>(
  em: EntityManager,
  kind: Kind,
  occurrence: Occurrence<Kind>,
): Promise<void> {
  return recordEvents(em, kind, [occurrence]);
}

/** Records several events of a kind in one statement. */
export async function recordEvents<Kind extends keyof DomainEvents>(
  em: EntityManager,
  kind: Kind,
  occurrences: readonly Occurrence<Kind>[],
): Promise<void> {
  if (occurrences.length === 0) return;
  const rows = occurrences.map(({ licenseId, subjectId, data }) => ({
    license_id: licenseId,
    subject_id: subjectId,
    data,
  }));
  await em.execute(
    `with occurrence as (
       select * from jsonb_to_recordset(?::jsonb) as occurrence(license_id uuid, subject_id uuid, data jsonb)
     ), event as (
       insert into domain_event (license_id, kind, subject_id, data)
       select license_id, ?, subject_id, data from occurrence
       on conflict (license_id, kind, subject_id) do nothing returning *
     ), listening as (
       select id, license_id, is_enabled from webhook
       where license_id in (select license_id from occurrence) and ? = any(events)
       order by id for share
     )
     insert into webhook_delivery (license_id, webhook_id, event, event_id, body)
     select event.license_id, listening.id, event.kind, event.id, ${eventBody('event')}
     from event join listening on listening.license_id = event.license_id and listening.is_enabled`,
    [JSON.stringify(rows), kind, kind],
  );
}
