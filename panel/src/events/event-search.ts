// Which events the log shows, as its address says.
import * as v from 'valibot';
import type { ReadInit } from '../api/operations.ts';
import type { LoggedEvent } from './event-words.ts';
import { anyOf, id, valueOr } from '../shared/address-values.ts';

/** Milliseconds of each choice of a time. */
const spans = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const;

export const noFilters = { type: '', object: '', server: '', host: '', since: '' } as const;

export const eventSearch = v.object({
  type: valueOr(v.pipe(v.string(), v.regex(/^[a-z_.*]{0,60}$/)), ''),
  /** The ID of what the event is about; for a player, the SteamID. */
  object: valueOr(v.pipe(v.string(), v.maxLength(200)), ''),
  server: id,
  host: id,
  since: anyOf(['hour', 'day', 'week']),
});

export type EventSearch = v.InferOutput<typeof eventSearch>;

type Query = NonNullable<NonNullable<ReadInit<'/api/events'>['params']>['query']>;

/** The query of the list; `now` is fixed while the filters are, so that its key is. */
export const queryOf = ({ type, object, server, host, since }: EventSearch, now: number): Query => ({
  ...(type !== '' && { type }),
  ...(object.trim() !== '' && { subject_id: object.trim() }),
  ...(server !== '' && { instance_id: server }),
  ...(host !== '' && { host_id: host }),
  ...(since !== '' && { from: new Date(now - spans[since]).toISOString() }),
});

/** Whether the list shows an event that has just arrived. */
export const isShown = ({ type, object, server, host }: EventSearch, event: LoggedEvent): boolean =>
  (type === '' || event.type === type || (type.endsWith('.*') && event.type.startsWith(type.slice(0, -1)))) &&
  (object.trim() === '' || event.subject.id === object.trim()) &&
  (server === '' || event.instance_id === server) &&
  (host === '' || event.host_id === host);

export const isNarrowed = (filters: EventSearch): boolean =>
  Object.values(filters).some((value) => value !== '');
