// Numbers, sizes, durations and times in the form of the viewer's language and region.
import { useMemo } from 'react';
import { useLanguage } from '../texts/texts.ts';
import { localeOf } from '../texts/languages.ts';

const nowMs = 20_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Units of relative times, with the age in milliseconds up to which each is used. */
const units: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number, upTo: number][] = [
  ['second', 1_000, minuteMs],
  ['minute', minuteMs, hourMs],
  ['hour', hourMs, dayMs],
  ['day', dayMs, 30 * dayMs],
  ['month', 30 * dayMs, 365 * dayMs],
  ['year', 365 * dayMs, Number.POSITIVE_INFINITY],
];

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

export interface Formats {
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** 0 to 100. */
  percent(value: number): string;
  bytes(value: number): string;
  money(value: { amount: string; currency: string }): string;
  date(at: string | number): string;
  dateTime(at: string | number): string;
  /** A calendar month in UTC, such as 2026-10. */
  month(month: string): string;
  clock(at: string | number): string;
  /** Hours and minutes. */
  time(at: string | number): string;
  utc(at: string | number): string;
  relative(at: string | number, now: number): string;
  /** At most two units, such as "3 h 12 min". */
  duration(seconds: number): string;
}

export function formatsFor(locale: string): Formats {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const utc = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  const formatters = new Map<string, Intl.NumberFormat>();
  // Making a formatter takes longer than rendering the row that it is for.
  const numberFormat = (options: Intl.NumberFormatOptions = {}): Intl.NumberFormat => {
    const key = JSON.stringify(options);
    const made = formatters.get(key) ?? new Intl.NumberFormat(locale, options);
    formatters.set(key, made);
    return made;
  };
  const unit = (value: number, name: string) =>
    numberFormat({ style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  return {
    number: (value, options) => numberFormat(options).format(value),
    percent: (value) => numberFormat({ style: 'percent', maximumFractionDigits: 0 }).format(value / 100),
    bytes: (value) => {
      const step = Math.min(sizes.length - 1, value < 1 ? 0 : Math.floor(Math.log2(value) / 10));
      const scaled = value / 1024 ** step;
      return numberFormat({
        style: 'unit',
        unit: sizes[step] ?? 'byte',
        // The short form of bytes is "59 byte" in English.
        unitDisplay: step === 0 ? 'long' : 'short',
        maximumFractionDigits: scaled < 10 && step > 0 ? 1 : 0,
      }).format(scaled);
    },
    money: ({ amount, currency }) => numberFormat({ style: 'currency', currency }).format(Number(amount)),
    date: (at) => date.format(new Date(at)),
    dateTime: (at) => dateTime.format(new Date(at)),
    month: (name) => month.format(new Date(`${name}-01T00:00:00Z`)),
    clock: (at) => clock.format(new Date(at)),
    time: (at) => time.format(new Date(at)),
    utc: (at) => `${utc.format(new Date(at))} UTC`,
    relative: (at, now) => {
      const away = new Date(at).getTime() - now;
      const age = Math.abs(away);
      // Clocks differ a little, and seconds ago are now.
      if (age < nowMs) return relative.format(0, 'second');
      const [name, ms] = units.find(([, , upTo]) => age < upTo) ?? ['year', 365 * dayMs];
      return relative.format(Math.trunc(away / ms), name);
    },
    duration: (seconds) => {
      const whole = Math.round(seconds);
      const largest = durationUnits.findIndex(([, size]) => whole >= size);
      if (largest === -1) return unit(0, 'second');
      let rest = whole;
      return durationUnits
        .slice(largest, largest + 2)
        .map(([name, size]) => {
          const count = Math.floor(rest / size);
          rest -= count * size;
          return count === 0 ? '' : unit(count, name);
        })
        .filter((part) => part !== '')
        .join(' ');
    },
  };
}

/** Seconds of each. A duration has the largest one that fits it, and the next. */
const durationUnits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export function useFormats(): Formats {
  const language = useLanguage();
  return useMemo(() => formatsFor(localeOf(language)), [language]);
}
