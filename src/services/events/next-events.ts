// Reads the next events of a log, as many as fit into the memory of one reader.
import { sql } from 'kysely';
import type { Queries } from '../../database/reader.ts';
import type { Position } from '../../events/cursor.ts';
import { eventQuery, hasPosition, type EventFilter, type EventRow } from './index.ts';

export interface NextEvents {
  events: MeasuredEvent[];
  /** Whether the limit or the size has ended the page. */
  hasMore: boolean;
}

export type MeasuredEvent = EventRow & {
  /** The size of its data as text, in bytes. */
  size: number;
};

/** Events that are read or relayed at once. */
export const eventsAtOnce = 500;
/** The size of their data, which the last event may exceed. */
export const maxBytesAtOnce = 1_048_576;

/**
 * The next events of a license after a position, as many as one read returns; undefined if the log does not have the
 * position any more.
 */
export async function nextEvents(
  queries: Queries,
  licenseId: string,
  filter: EventFilter,
  start: Position,
): Promise<NextEvents | undefined> {
  const page = eventQuery(queries, licenseId, filter, { order: 'asc', limit: eventsAtOnce, start });
  const size = sql<number>`octet_length(data::text)`;
  const measured = queries
    .selectFrom(page.as('page'))
    .selectAll()
    .select([
      size.as('size'),
      sql<number>`(sum(${size}) over (order by recorded_at, seq) - ${size})::integer`.as('before'),
      sql<number>`(count(*) over ())::integer`.as('total'),
    ]);
  const rows = await queries
    .selectFrom(measured.as('measured'))
    .selectAll()
    .where('before', '<', maxBytesAtOnce)
    .orderBy('recorded_at')
    .orderBy('seq')
    .execute();
  // Checked after the read: a log that still has the position was not replaced before it.
  if (!(await hasPosition(queries, licenseId, start))) return undefined;
  const total = rows[0]?.total ?? 0;
  return {
    events: rows.map(({ before: _before, total: _total, ...event }) => event),
    hasMore: total === eventsAtOnce || total > rows.length,
  };
}
