// Records events in the transaction that causes them.
// The database records those of most rows by itself: see database/migrations/0081-recorded-events.ts.
import type { EntityManager } from '../database/connection.ts';
import { currentLicense } from '../entities/tenant.ts';
import { eventTypes, type EventData, type EventType } from '../platform-contract/events.ts';

export interface Occurrence<Type extends EventType> {
  /** The default is the license of the transaction. */
  licenseId?: string;
  /** The id of the subject; the catalogue names its kind. */
  subject: string;
  instanceId?: string | null;
  hostId?: string | null;
  data: EventData[Type];
}

/** Call it in the transaction that causes the event: the log has the event if and only if that commits. */
export function recordEvent<Type extends EventType>(
  em: EntityManager,
  type: Type,
  occurrence: Occurrence<Type>,
): Promise<void> {
  return recordEvents(em, type, [occurrence]);
}

/** Records several events of a type in one statement. */
export async function recordEvents<Type extends EventType>(
  em: EntityManager,
  type: Type,
  occurrences: readonly Occurrence<Type>[],
): Promise<void> {
  if (occurrences.length === 0) return;
  const rows = occurrences.map(({ licenseId, subject, instanceId, hostId, data }) => ({
    license_id: licenseId,
    subject_id: subject,
    instance_id: instanceId,
    host_id: hostId,
    data,
  }));
  await em.execute(
    `insert into event_draft (license_id, type, subject_type, subject_id, instance_id, host_id, data)
     select coalesce(license_id, ${currentLicense}), ?, ?, subject_id, instance_id, host_id, data
     from jsonb_to_recordset(?::jsonb) as occurrence(license_id uuid, subject_id text, instance_id uuid, host_id uuid,
       data jsonb)`,
    [type, eventTypes[type].subject, JSON.stringify(rows)],
  );
}
