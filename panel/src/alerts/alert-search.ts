// Which alerts the list shows, as its address says.
import * as v from 'valibot';
import type { ReadInit, Schemas } from '../api/operations.ts';
import { anyOf, id, oneOf } from '../shared/address-values.ts';

export type Alert = Schemas['Alert'];

export const alertKinds = [
  'instance_crashed',
  'host_down',
  'population_drop',
  'low_fps',
  'disk_full',
  'clock_wrong',
  'agent_outdated',
] as const satisfies readonly Alert['kind'][];

export const severities = ['Critical', 'Warning', 'Info'] as const satisfies readonly Alert['severity'][];

/** Milliseconds of each choice of a time. */
const spans = { day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 } as const;

export const noFilters = {
  state: 'open',
  severity: '',
  kind: '',
  acknowledged: '',
  server: '',
  since: '',
} as const;

export const alertSearch = v.object({
  state: oneOf(['open', 'ended', 'all'], 'open'),
  severity: anyOf(severities),
  kind: anyOf(alertKinds),
  acknowledged: anyOf(['yes', 'no']),
  server: id,
  since: anyOf(['day', 'week', 'month']),
});

export type AlertSearch = v.InferOutput<typeof alertSearch>;

type Query = NonNullable<NonNullable<ReadInit<'/api/alerts'>['params']>['query']>;

/** The query of the list; `now` is fixed while the filters are, so that its key is. */
export const queryOf = (
  { state, severity, kind, acknowledged, server, since }: AlertSearch,
  now: number,
): Query => ({
  ...(state !== 'all' && { is_open: state === 'open' }),
  ...(severity !== '' && { severity }),
  ...(kind !== '' && { kind }),
  ...(acknowledged !== '' && { is_acknowledged: acknowledged === 'yes' }),
  ...(server !== '' && { instance_id: server }),
  ...(since !== '' && { created_from: new Date(now - spans[since]).toISOString() }),
});

/** Whether filters other than the state hide alerts. */
export const isNarrowed = ({ state: _, ...others }: AlertSearch): boolean =>
  Object.values(others).some((value) => value !== '');
