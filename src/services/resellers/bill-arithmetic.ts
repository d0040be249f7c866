// What a month costs a reseller: days on which licenses were active and instances ran, and their share of the wholesale rate.

const dayMs = 24 * 60 * 60_000;

/** A month of the calendar in UTC, in milliseconds since 1970; the end is the next one's start. */
export interface Month {
  name: string;
  startMs: number;
  endMs: number;
  days: number;
}

/** From `YYYY-MM`. */
export function monthNamed(name: string): Month {
  const [year = 0, month = 0] = name.split('-').map(Number);
  const [startMs, endMs] = [Date.UTC(year, month - 1), Date.UTC(year, month)];
  return { name, startMs, endMs, days: (endMs - startMs) / dayMs };
}

/** The name of the month that is `offset` months after the one with that moment. */
export function monthAfter(moment: Date, offset: number): string {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + offset)).toISOString().slice(0, 7);
}

/** From one moment to another; the end does not belong to it. */
export interface Period {
  fromMs: number;
  toMs: number;
}

/** As much of the periods as lies within the month. One that ends where it begins counts as a moment. */
export function within(periods: readonly Period[], { startMs, endMs }: Month): Period[] {
  return periods
    .filter(({ fromMs, toMs }) => fromMs < endMs && Math.max(toMs, fromMs + 1) > startMs)
    .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, startMs), toMs: Math.min(toMs, endMs) }));
}

/** The days, counted from 1970, on which there was any of the periods. */
function daysOf(periods: readonly Period[]): Set<number> {
  const days = new Set<number>();
  for (const { fromMs, toMs } of periods) {
    const last = Math.max(Math.ceil(toMs / dayMs) - 1, Math.floor(fromMs / dayMs));
    for (let day = Math.floor(fromMs / dayMs); day <= last; day += 1) days.add(day);
  }
  return days;
}

/** On how many days there was any of the periods. */
export const activeDays = (periods: readonly Period[]): number => daysOf(periods).size;

/** Times at which both lasted. */
export function common(some: readonly Period[], others: readonly Period[]): Period[] {
  return some.flatMap((one) =>
    others
      .map((other) => ({ fromMs: Math.max(one.fromMs, other.fromMs), toMs: Math.min(one.toMs, other.toMs) }))
      .filter(({ fromMs, toMs }) => fromMs < toMs),
  );
}

export type BillingUnit = 'license' | 'instance';

/** What a license comes to in a month. */
export interface Usage {
  activeDays: number;
  /** Instances that ran at any time while the license was active. */
  instanceCount: number;
  /** Days on which each of them did so, added up. */
  instanceDays: number;
  /** Days that are charged: an active license is charged as one instance at least. */
  chargedDays: number;
}

/** Of periods within the month. */
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

/** The days' share of the rate for the whole month, rounded to the nearest hundredth, half a hundredth up. */
export function shareOf(rate: number, days: number, { days: daysInMonth }: Month): number {
  return Math.floor((2 * rate * days + daysInMonth) / (2 * daysInMonth));
}
