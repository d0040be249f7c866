// What the analytics show, as the address says; kept from tab to tab.
import * as v from 'valibot';
import { rangeNames } from '../stats/stats-search.ts';
import { id, moment, oneOf, text, textOr } from '../shared/address-values.ts';

export const periods = [7, 30, 90, 366] as const;
export const wipeCounts = [3, 6, 10, 20] as const;
export const mapRanges = ['30d', '90d', 'all'] as const;

export const usual = { days: 30, instance: '' } as const;
export const defaultZone = { zone: '' } as const;
export const defaultWipes = { wipes: 6 } as const;
export const defaultMaps = { range: '90d', sort: '-hours' } as const;
export const defaultSeries = { length: '7d', to: '' } as const;

export const analyticsSearch = v.object({
  days: oneOf(periods, 30),
  /** Empty: all servers of the license. */
  instance: id,
});

export const zoneSearch = v.object({ zone: text });

export const wipesSearch = v.object({
  wipes: oneOf(wipeCounts, 6),
});

export const mapsSearch = v.object({
  range: oneOf(mapRanges, '90d'),
  sort: textOr('-hours'),
});

export const seriesSearch = v.object({
  length: oneOf(rangeNames, '7d'),
  to: moment,
});
