// Resolves the UTC days and the scope of analytics queries: one instance or the whole license.
import type { Queries } from '../../database/reader.ts';
import { invalidField } from '../../errors.ts';
import { wholeLicense } from '../../entities/session-counts.ts';
import { refuseUnknownInstance } from '../../preconditions/instance-existence.ts';

export const dayMs = 86_400_000;

/** Both days included. */
export interface Period {
  from: string;
  to: string;
}

/** The last `days` days, including today. */
export function lastDays(days: number, now = Date.now()): Period {
  return { from: dayOf(now - (days - 1) * dayMs), to: dayOf(now) };
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Throws if the requested period ends before it begins. */
export function refuseBackwards(from: string, endMs: number): void {
  if (Date.parse(from) > endMs)
    throw invalidField({ in: 'query', pointer: '/to', detail: 'is before the beginning' });
}

/** Returns the scope id of the counts: the instance, or the whole license. */
export async function scopeOf(queries: Queries, instanceId: string | undefined): Promise<string> {
  if (instanceId === undefined) return wholeLicense;
  await refuseUnknownInstance(queries, instanceId);
  return instanceId;
}

/** Rounded to one decimal; `null` if `whole` is 0. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded((part / whole) * 100, 1);
}

export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
