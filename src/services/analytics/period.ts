// Days of UTC that figures are asked for, and whose: one instance's or the whole license's.
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

/** The last so many days, today included. */
export function lastDays(days: number, now = Date.now()): Period {
  return { from: dayOf(now - (days - 1) * dayMs), to: dayOf(now) };
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Throws where a time that was asked for ends before it begins. */
export function refuseBackwards(from: string, endMs: number): void {
  if (Date.parse(from) > endMs)
    throw invalidField({ in: 'query', pointer: '/to', detail: 'is before the beginning' });
}

/** Whom counts are of. */
export async function scopeOf(queries: Queries, instanceId: string | undefined): Promise<string> {
  if (instanceId === undefined) return wholeLicense;
  await refuseUnknownInstance(queries, instanceId);
  return instanceId;
}

/** To one decimal; `null` of nothing. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded((part / whole) * 100, 1);
}

export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
