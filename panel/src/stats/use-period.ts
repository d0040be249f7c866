// The period in milliseconds. One that ends now moves on by a part of its length at a time.
import { useNow } from '@gantry/ui/use-now.ts';
import { ranges, type StatsSearch } from './stats-search.ts';

const partsOfRange = 240;
const everyMs = 10_000;

export function usePeriod({ range, to }: Pick<StatsSearch, 'range' | 'to'>): {
  from: number;
  to: number;
  isNow: boolean;
} {
  const now = useNow(to === '', everyMs);
  const { ms } = ranges[range];
  const tick = ms / partsOfRange;
  const end = to === '' ? Math.ceil(now / tick) * tick : Date.parse(to);
  return { from: end - ms, to: end, isNow: to === '' };
}
