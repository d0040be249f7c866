// Which period the charts show, as the address says.
import * as v from 'valibot';
import type { Schemas } from '../api/operations.ts';
import { moment, oneOf } from '../shared/address-values.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Range {
  ms: number;
  /** The step of the averages; null for every single report. */
  step: Schemas['SeriesStep'] | null;
}

/** Single reports are many: a server sends one every ten seconds. */
export const ranges = {
  '1h': { ms: hourMs, step: null },
  '6h': { ms: 6 * hourMs, step: null },
  '24h': { ms: dayMs, step: '5m' },
  '3d': { ms: 3 * dayMs, step: '5m' },
  '7d': { ms: 7 * dayMs, step: '1h' },
  '30d': { ms: 30 * dayMs, step: '1h' },
  '90d': { ms: 90 * dayMs, step: '1d' },
  '1y': { ms: 365 * dayMs, step: '1d' },
} as const satisfies Record<string, Range>;

export type RangeName = keyof typeof ranges;

export const rangeNames = Object.keys(ranges) as RangeName[];

export const usual = { range: '1h', to: '', at: '' } as const;

export const statsSearch = v.object({
  range: oneOf(rangeNames, '1h'),
  /** The end of the period; empty for now. */
  to: moment,
  /** The chosen moment, of which the players are shown. */
  at: moment,
});

export type StatsSearch = v.InferOutput<typeof statsSearch>;
