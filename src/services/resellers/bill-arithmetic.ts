// Computes a reseller's month: the days on which licenses and instances ran, and their share of the rate.

const dayMs = 24 * 60 * 60_000;

/** A calendar month in UTC, in milliseconds since 1970; its end is the start of the next month. */
export interface Month {
  name: string;
  startMs: number;
  endMs: number;
  days: number;
}

/** Parses `YYYY-MM`. */
export function monthNamed(name: string): Month {
  const [year = 0, month = 0] = name.split('-').map(Number);
  const [startMs, endMs] = [Date.UTC(year, month - 1), Date.UTC(year, month)];
  return { name, startMs, endMs, days: (endMs - startMs) / dayMs };
}

/** Returns the name of the month that is `offset` months after the month of that moment. */
export function monthAfter(moment: Date, offset: number): string {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + offset)).toISOString().slice(0, 7);
}

/** A period of time, without its end. */
export interface Period {
  fromMs: number;
  toMs: number;
}

/** Clips the periods to the month. A period of no length counts as a moment. */
export function within(periods: readonly Period[], { startMs, endMs }: Month): Period[] {
  return periods
    .filter(({ fromMs, toMs }) => fromMs < endMs && Math.max(toMs, fromMs + 1) > startMs)
    .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, startMs), toMs: Math.min(toMs, endMs) }));
}

/** Returns the days, counted from 1970, that any of the periods touches. */
function daysOf(periods: readonly Period[]): Set<number> {
  const days = new Set<number>();
  for (const { fromMs, toMs } of periods) {
    const last = Math.max(Math.ceil(toMs / dayMs) - 1, Math.floor(fromMs / dayMs));
    for (let day = Math.floor(fromMs / dayMs); day <= last; day += 1) days.add(day);
  }
  return days;
}

export const activeDays = (periods: readonly Period[]): number => daysOf(periods).size;

/** Returns the intersections of the periods. */
export function common(some: readonly Period[], others: readonly Period[]): Period[] {
  return some.flatMap((one) =>
    others
      .map((other) => ({ fromMs: Math.max(one.fromMs, other.fromMs), toMs: Math.min(one.toMs, other.toMs) }))
      .filter(({ fromMs, toMs }) => fromMs < toMs),
  );
}

export type BillingUnit = 'license' | 'instance';

/** A license's usage in a month. */
export interface Usage {
  activeDays: number;
  /** Instances that ran at any time while the license was active. */
  instanceCount: number;
  /** Days on which each of those instances did so, summed. */
  instanceDays: number;
  /** Days that are charged: an active license is charged as at least one instance. */
  chargedDays: number;
}

/** Computes the usage from periods within the month. */
export function usageOf(
  active: readonly Period[],
  runs: readonly (readonly Period[])[],
  unit: BillingUnit,
): Usage {
  const days = daysOf(active);
  const ran = runs.map((periods) => daysOf(common(active, periods))).filter(({ size }) => size > 0);
  const countOf = new Map<number, number>();
  for (const instance of ran) for (const day of instance) countOf.set(day, (countOf.get(day) ?? 0) + 1);
  const instanceDays = sumOf(ran.map(({ size }) => size));
  const idleDays = [...days].filter((day) => !countOf.has(day)).length;
  return {
    activeDays: days.size,
    instanceCount: ran.length,
    instanceDays,
    chargedDays: unit === 'license' ? days.size : instanceDays + idleDays,
  };
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The days' share of the month's rate, rounded to the nearest hundredth, half a hundredth up. */
export function shareOf(rate: number, days: number, { days: daysInMonth }: Month): number {
  return Math.floor((2 * rate * days + daysInMonth) / (2 * daysInMonth));
}
