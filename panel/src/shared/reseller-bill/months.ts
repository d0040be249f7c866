// Calendar months in UTC, such as 2026-10.
import * as v from 'valibot';
import { valueOr } from '../address-values.ts';

export const isMonth = (text: string): boolean => /^20\d{2}-(0[1-9]|1[0-2])$/.test(text);

export const currentMonth = (): string => new Date().toISOString().slice(0, 7);

export const monthOf = (at: string): string => new Date(at).toISOString().slice(0, 7);

export function monthPlus(month: string, months: number): string {
  const start = new Date(`${month}-01T00:00:00Z`);
  start.setUTCMonth(start.getUTCMonth() + months);
  return start.toISOString().slice(0, 7);
}

/** A month in an address; empty for the current one. */
export const monthSearch = valueOr(v.pipe(v.string(), v.check(isMonth)), '');
