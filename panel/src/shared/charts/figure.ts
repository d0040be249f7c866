// Figures of charts as text.
import type { Formats } from '../formats.ts';

/** At most one decimal, and none above a hundred. */
export const figure =
  (formats: Formats) =>
  (value: number): string =>
    formats.number(value, { maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0 });
