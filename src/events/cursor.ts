// Positions in the event log of a license: the number, the time and a check of an event, as one opaque text.
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';

export interface Position {
  seq: number;
  /** When the event was recorded, in milliseconds since 1970. */
  at: number;
  /** The end of the event's id. A restored database may give the number to another event. */
  check: string;
}

const form = /^(\d{1,16})\.(\d{1,14})\.([0-9a-f]{8})$/;

export const cursorOf = ({ seq, at, check }: Position): string => encodeCursor(`${seq}.${at}.${check}`);

/** The position of an event. */
export const positionOf = ({ seq, id, at }: { seq: number; id: string; at: string }): Position => ({
  seq,
  at: Date.parse(at),
  check: id.slice(-8),
});

/** Whether both are positions of one event. The numbers of a log that is replaced begin again. */
export const isSamePosition = (one: Position, other: Position): boolean =>
  one.seq === other.seq && one.at === other.at && one.check === other.check;

/** Returns undefined if the text is no cursor. */
export function positionIn(cursor: string): Position | undefined {
  const [, seq, at, check] = form.exec(decodeCursor(cursor) ?? '') ?? [];
  if (seq === undefined || at === undefined || check === undefined) return undefined;
  return { seq: Number(seq), at: Number(at), check };
}

/** The cursor of a row of `event_log`, as SQL. */
const cursorSql = (event: string) =>
  `translate(encode(convert_to(${event}.seq || '.' || (extract(epoch from ${event}.recorded_at) * 1000)::bigint || '.'
    || right(${event}.id::text, 8), 'UTF8'), 'base64'), E'+/=\\n', '-_')`;

/** A time as the API returns it, as SQL. */
export const timeSql = (value: string) =>
  `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The body that webhooks get for a row of `event_log`, as SQL: the event as the API returns it. */
export const eventBody = (event: string): string => `json_build_object(
  'id', ${event}.id, 'cursor', ${cursorSql(event)}, 'type', ${event}.type,
  'occurred_at', ${timeSql(`${event}.occurred_at`)}, 'recorded_at', ${timeSql(`${event}.recorded_at`)},
  'license_id', ${event}.license_id,
  'is_test', (select is_sandbox from license where license.id = ${event}.license_id),
  'subject', json_build_object('type', ${event}.subject_type, 'id', ${event}.subject_id),
  'instance_id', ${event}.instance_id, 'host_id', ${event}.host_id,
  'actor', case when ${event}.actor_kind <> 'anonymous'
    then json_build_object('kind', ${event}.actor_kind, 'label', ${event}.actor_label) end,
  'data', ${event}.data)::text`;

/** Whether the patterns of the first argument include the type of a row of `event_log`, as SQL. */
export const matches = (patterns: string, event: string): string =>
  `${patterns} && array['*', split_part(${event}.type, '.', 1) || '.*', ${event}.type]`;
