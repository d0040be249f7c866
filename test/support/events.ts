// The events that a test has caused, compared with the contract.
import { eventBody } from '../../src/events/cursor.ts';
import { errorsOfEvents } from './contract.ts';
import type { TestDatabase } from './database.ts';

/** Violations of the contract in the events that the database has recorded itself, by type. */
export async function faultyEvents(database: TestDatabase): Promise<Record<string, unknown[]>> {
  const rows = await database.query<{ type: string; bodies: object[] }>(
    `select event.type, json_agg(${eventBody('event')}::json) as bodies
     from event_log as event join event_sequence as known using (license_id)
     where event.seq <= known.last_seq group by 1`,
  );
  return Object.fromEntries(
    rows
      .map(({ type, bodies }) => [type, errorsOfEvents(type, bodies)] as const)
      .filter(([, faults]) => faults.length > 0),
  );
}
