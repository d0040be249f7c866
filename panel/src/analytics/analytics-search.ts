// What the analytics show, as the address says; kept from tab to tab.
import * as v from 'valibot';
import { rangeNames } from '../stats/stats-search.ts';

export const periods = [7, 30, 90, 366] as const;
export const wipeCounts = [3, 6, 10, 20] as const;
export const mapRanges = ['30d', '90d', 'all'] as const;

export const usual = { days: 30, instance: '' } as const;
export const defaultZone = { zone: '' } as const;
export const defaultWipes = { wipes: 6 } as const;
export const defaultMaps = { range: '90d', sort: '-hours' } as const;
export const defaultSeries = { length: '7d', to: '' } as const;

const text = (fallback: string) => v.optional(v.fallback(v.string(), fallback), fallback);

export const analyticsSearch = v.object({
  days: v.optional(v.fallback(v.picklist(periods), 30), 30),
  /** Empty: all servers of the license. */
  instance: v.optional(v.fallback(v.union([v.literal(''), v.pipe(v.string(), v.uuid())]), ''), ''),
});

export const zoneSearch = v.object({ zone: text('') });

export const wipesSearch = v.object({
  wipes: v.optional(v.fallback(v.picklist(wipeCounts), 6), 6),
});

export const mapsSearch = v.object({
  range: v.optional(v.fallback(v.picklist(mapRanges), '90d'), '90d'),
  sort: text('-hours'),
});

export const seriesSearch = v.object({
  length: v.optional(v.fallback(v.picklist(rangeNames), '7d'), '7d'),
  to: v.optional(v.fallback(v.union([v.literal(''), v.pipe(v.string(), v.isoTimestamp())]), ''), ''),
});
