// Reads the event log of a license, as far as the caller may read the types of events.
import { sql } from 'kysely';
import type { Ctx, PermissionMap } from '../../context.ts';
import type { Queries } from '../../database/reader.ts';
import { DomainError, invalidField, notFound, type Fault } from '../../errors.ts';
import { cursorOf, isSamePosition, positionIn, positionOf, type Position } from '../../events/cursor.ts';
import type { Page } from '../../lists/page.ts';
import {
  eventTypeNames,
  eventTypes,
  typesOf,
  type EventType,
  type EventTypeInfo,
} from '../../platform-contract/events.ts';
import type { Query } from '../../platform-contract/types.ts';
import { keptDaysOfDayPartitions } from '../../queue/retention-periods.ts';
import { grants } from '../auth/role-permissions.ts';

/** Which events a caller wants and may read. */
export interface EventFilter {
  /** `null` for every type. */
  types: readonly EventType[] | null;
  subjectType?: string | undefined;
  subjectId?: string | undefined;
  instanceId?: string | undefined;
  hostId?: string | undefined;
}

type FilterQuery = Pick<
  Query<'listEvents'>,
  'type' | 'subject_type' | 'subject_id' | 'instance_id' | 'host_id'
>;

export type EventRow = Awaited<ReturnType<ReturnType<typeof eventQuery>['execute']>>[number];

export interface EventPage extends Page<EventRow> {
  streamCursor: string;
}

export interface EventTypeRow extends EventTypeInfo {
  type: EventType;
  canRead: boolean;
}

const keptMs = keptDaysOfDayPartitions.event_log * 24 * 60 * 60_000;
const defaultLimit = 25;
const maxPatterns = 20;

export class EventLog {
  async list(ctx: Ctx, query: Query<'listEvents'>): Promise<EventPage> {
    const { order = 'desc', limit = defaultLimit, cursor, after, from, to } = query;
    if (after !== undefined && order !== 'asc')
      throw invalidField({ in: 'query', pointer: '/after', detail: 'needs `order=asc`' });
    if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from))
      throw invalidField({ in: 'query', pointer: '/to', detail: 'is before `from`' });
    const filter = filterOf(ctx, query);
    const start =
      cursor === undefined ? undefined : knownPosition(cursor, { in: 'query', pointer: '/cursor' });
    const past = after === undefined ? undefined : knownPosition(after, { in: 'query', pointer: '/after' });
    return ctx.read(async (queries) => {
      // Read before the events, so that no event lies between the page and the end of the log.
      const end = await endOfLog(queries, ctx.licenseId);
      const rows = await eventQuery(queries, ctx.licenseId, filter, {
        order,
        limit: limit + 1,
        start: start ?? past,
        from,
        to,
      }).execute();
      // After the read: a log that still has the position was not replaced before it.
      if (past !== undefined) await refuseExpired(queries, ctx.licenseId, past);
      const kept = rows.slice(0, limit);
      const last = kept.at(-1);
      return {
        rows: kept,
        nextCursor: rows.length > limit && last !== undefined ? cursorOfRow(last) : null,
        streamCursor: cursorOf(end),
      };
    });
  }

  async get(ctx: Ctx, id: string): Promise<EventRow> {
    const types = typesFor(ctx.license.permissions, undefined);
    const event = await ctx.read((queries) =>
      eventColumns(queries, ctx.licenseId)
        .where('id', '=', id)
        .where('recorded_at', '>=', oldest())
        .executeTakeFirst(),
    );
    if (event === undefined || !(types ?? eventTypeNames).includes(event.type as EventType))
      throw notFound('event');
    return event;
  }

  listTypes({ license }: Ctx): EventTypeRow[] {
    return eventTypeNames.map((type) => ({
      type,
      ...eventTypes[type],
      canRead: grants(license.permissions, eventTypes[type].permission),
    }));
  }
}

/** The filter of a query, with the types that the caller may read. */
export function filterOf({ license }: Ctx, query: FilterQuery): EventFilter {
  return {
    types: typesFor(license.permissions, query.type),
    subjectType: query.subject_type,
    subjectId: query.subject_id,
    instanceId: query.instance_id,
    hostId: query.host_id,
  };
}

/** The wanted types that the permissions allow to read; `null` if that is every type. */
export function typesFor(permissions: PermissionMap, patterns: string | undefined): EventType[] | null {
  const wanted = patterns === undefined ? eventTypeNames : patterns.split(',').flatMap(typesOfPattern);
  const allowed = [...new Set(wanted)].filter((type) => grants(permissions, eventTypes[type].permission));
  return allowed.length === eventTypeNames.length ? null : allowed;
}

function typesOfPattern(pattern: string, _index: number, patterns: string[]): EventType[] {
  const types = typesOf(pattern);
  if (types.length > 0 && patterns.length <= maxPatterns) return types;
  throw invalidField({
    in: 'query',
    pointer: '/type',
    detail: `${pattern} is not a type of event; GET /api/events/types lists them`,
  });
}

/** Throws unless the cursor, which is at this place of the request, has the form of one. */
export function knownPosition(cursor: string, place: Pick<Fault, 'in' | 'pointer'>): Position {
  const position = positionIn(cursor);
  if (position === undefined) throw invalidField({ ...place, detail: 'is not a cursor of the event log' });
  return position;
}

/**
 * Whether the log has the event of this position, or has it as its newest one. It has not if the event is older than the
 * log, or if a sandbox was reset or a database restored and has given the number to another event. Continuing there
 * would skip events silently.
 */
export async function hasPosition(queries: Queries, licenseId: string, position: Position): Promise<boolean> {
  const { seq, at, check } = position;
  const isKept = at > Date.now() - keptMs;
  if (seq === 0 && isKept) return true;
  const found = isKept
    ? await queries
        .selectFrom('event_log')
        .select('id')
        .where('license_id', '=', licenseId)
        .where('recorded_at', '=', new Date(at).toISOString())
        .where('seq', '=', seq)
        .executeTakeFirst()
    : undefined;
  if (found !== undefined) return found.id.endsWith(check);
  // The newest event of a license that was quiet for longer than events are kept.
  return isSamePosition(await endOfLog(queries, licenseId), position);
}

/** Throws unless the log has the event of this position. */
export async function refuseExpired(queries: Queries, licenseId: string, position: Position): Promise<void> {
  if (await hasPosition(queries, licenseId, position)) return;
  throw new DomainError(
    'event_cursor_expired',
    'The log no longer has the event of this cursor. Read your lists again, and continue from their stream_cursor.',
  );
}

/** The position of the newest event. */
export async function endOfLog(queries: Queries, licenseId: string): Promise<Position> {
  const newest = await queries
    .selectFrom('event_sequence')
    .select(['last_seq', 'last_id', 'last_at'])
    .where('license_id', '=', licenseId)
    .executeTakeFirst();
  if (newest === undefined) return { seq: 0, at: Date.now(), check: '00000000' };
  return positionOf({ seq: newest.last_seq, id: newest.last_id, at: newest.last_at });
}

/** The ends of the logs of several licenses; those without events are left out. */
export async function endsOfLogs(
  queries: Queries,
  licenseIds: string[],
): Promise<{ licenseId: string; position: Position }[]> {
  const rows = await queries
    .selectFrom('event_sequence')
    .select(['license_id', 'last_seq', 'last_id', 'last_at'])
    .where(sql<boolean>`license_id = any(${licenseIds}::uuid[])`)
    .execute();
  return rows.map(({ license_id: licenseId, last_seq: seq, last_id: id, last_at: at }) => ({
    licenseId,
    position: positionOf({ seq, id, at }),
  }));
}

interface Extent {
  order: 'asc' | 'desc';
  limit: number;
  start?: Position | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The query of the events in order, after (or, in descending order, before) the start. */
export function eventQuery(
  queries: Queries,
  licenseId: string,
  { types, subjectType, subjectId, instanceId, hostId }: EventFilter,
  { order, limit, start, from, to }: Extent,
) {
  let events = eventColumns(queries, licenseId).where('recorded_at', '>=', from ?? oldest());
  if (to !== undefined) events = events.where('recorded_at', '<', to);
  // Number 0 is before every event; its time is of another clock.
  if (start !== undefined && start.seq > 0) {
    const at = new Date(start.at).toISOString();
    events =
      order === 'asc'
        ? events.where(sql<boolean>`(recorded_at, seq) > (${at}::timestamptz, ${start.seq}::bigint)`)
        : events.where(sql<boolean>`(recorded_at, seq) < (${at}::timestamptz, ${start.seq}::bigint)`);
  }
  if (types !== null) events = events.where(sql<boolean>`type = any(${[...types]}::text[])`);
  if (subjectType !== undefined) events = events.where('subject_type', '=', subjectType);
  if (subjectId !== undefined) events = events.where('subject_id', '=', subjectId);
  if (instanceId !== undefined) events = events.where('instance_id', '=', instanceId);
  if (hostId !== undefined) events = events.where('host_id', '=', hostId);
  return events.orderBy('recorded_at', order).orderBy('seq', order).limit(limit);
}

/** Partitions older than this are not opened. */
const oldest = () => new Date(Date.now() - keptMs).toISOString();

function eventColumns(queries: Queries, licenseId: string) {
  return queries
    .selectFrom('event_log')
    .select((eb) => [
      'id',
      'seq',
      'type',
      'occurred_at',
      'recorded_at',
      'license_id',
      'subject_type',
      'subject_id',
      'instance_id',
      'host_id',
      'actor_kind',
      'actor_label',
      'data',
      eb
        .selectFrom('license')
        .select('license.is_sandbox')
        .whereRef('license.id', '=', 'event_log.license_id')
        .as('is_sandbox'),
    ])
    .where('license_id', '=', licenseId);
}

export const positionOfRow = ({ seq, id, recorded_at: at }: EventRow): Position =>
  positionOf({ seq, id, at });

export const cursorOfRow = (row: EventRow): string => cursorOf(positionOfRow(row));
