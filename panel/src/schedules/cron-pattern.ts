// Common patterns of cron expressions, so that people choose instead of writing one.
import type { NumberValue } from '../shared/number-text.ts';

/** Sunday is 0. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** Monday first. */
export const weekdays: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 0];

interface AtTime {
  hour: number;
  minute: number;
}

export type Pattern =
  | { every: 'minutes'; step: number }
  | { every: 'hours'; step: number; minute: NumberValue }
  | ({ every: 'day' } & AtTime)
  | ({ every: 'week'; days: readonly Weekday[] } & AtTime)
  | ({ every: 'monthDay'; day: number | 'L' } & AtTime)
  | ({ every: 'monthWeekday'; nth: number; weekday: Weekday } & AtTime)
  | { every: 'custom'; cron: string };

export type Every = Pattern['every'];

export const minuteSteps = [5, 10, 15, 20, 30] as const;
export const hourSteps = [1, 2, 3, 4, 6, 8, 12] as const;

const names = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;

export function cronOf(pattern: Pattern): string {
  switch (pattern.every) {
    case 'minutes':
      return `*/${pattern.step} * * * *`;
    case 'hours':
      return pattern.step === 1 ? `${pattern.minute} * * * *` : `${pattern.minute} */${pattern.step} * * *`;
    case 'day':
      return `${pattern.minute} ${pattern.hour} * * *`;
    case 'week':
      return `${pattern.minute} ${pattern.hour} * * ${daysIn(pattern.days)}`;
    case 'monthDay':
      return `${pattern.minute} ${pattern.hour} ${pattern.day} * *`;
    case 'monthWeekday':
      return `${pattern.minute} ${pattern.hour} * * ${names[pattern.weekday]}#${pattern.nth}`;
    case 'custom':
      return pattern.cron.trim().replaceAll(/\s+/g, ' ');
  }
}

const daysIn = (days: readonly Weekday[]): string =>
  weekdays
    .filter((day) => days.includes(day))
    .map((day) => names[day])
    .join(',');

/** The pattern that an expression follows; any other one is shown as it is written. */
export function patternOf(cron: string): Pattern {
  const custom: Pattern = { every: 'custom', cron };
  const [minutes = '', hours = '', day = '', month = '', weekday = '', ...rest] = cron.split(' ');
  if (rest.length > 0 || month !== '*') return custom;
  const step = stepOf(minutes, minuteSteps);
  if (step !== null)
    return hours === '*' && day === '*' && weekday === '*' ? { every: 'minutes', step } : custom;
  const minute = numberIn(minutes, 59);
  if (minute === null) return custom;
  const hourStep = hours === '*' ? 1 : stepOf(hours, hourSteps);
  if (hourStep !== null)
    return day === '*' && weekday === '*' ? { every: 'hours', step: hourStep, minute } : custom;
  const hour = numberIn(hours, 23);
  if (hour === null) return custom;
  const time = { hour, minute };
  if (day === '*' && weekday === '*') return { every: 'day', ...time };
  if (day === '*') return onWeekdays(weekday, time) ?? custom;
  if (weekday !== '*') return custom;
  if (day === 'L') return { every: 'monthDay', day, ...time };
  const date = numberIn(day, 31);
  return date === null || date === 0 ? custom : { every: 'monthDay', day: date, ...time };
}

function onWeekdays(text: string, time: AtTime): Pattern | null {
  const [, name = '', nth = ''] = /^(\w+)#([1-5])$/.exec(text) ?? [];
  const only = weekdayOf(name);
  if (only !== null) return { every: 'monthWeekday', nth: Number(nth), weekday: only, ...time };
  const days = text.split(',').map(weekdayOf);
  return days.every((day) => day !== null) ? { every: 'week', days, ...time } : null;
}

function weekdayOf(text: string): Weekday | null {
  const index = names.indexOf(text.toUpperCase() as (typeof names)[number]);
  const number = index === -1 ? numberIn(text, 7) : index;
  return number === null ? null : ((number % 7) as Weekday);
}

function stepOf(text: string, steps: readonly number[]): number | null {
  const step = Number(/^\*\/(\d+)$/.exec(text)?.[1]);
  return steps.includes(step) ? step : null;
}

function numberIn(text: string, max: number): number | null {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value <= max ? value : null;
}

/** A minute that is not typed yet is the first one. */
const minuteIn = (pattern: Pattern): number =>
  'minute' in pattern && typeof pattern.minute === 'number' ? pattern.minute : 0;

/** The pattern after another choice of its kind; the time is kept. */
export function changedTo(every: Every, former: Pattern): Pattern {
  const { hour = 4 } = former as Partial<AtTime>;
  const minute = minuteIn(former);
  switch (every) {
    case 'minutes':
      return { every, step: 15 };
    case 'hours':
      return { every, step: 1, minute };
    case 'day':
      return { every, hour, minute };
    case 'week':
      return { every, days: [4], hour, minute };
    case 'monthDay':
      return { every, day: 1, hour, minute };
    case 'monthWeekday':
      return { every, nth: 1, weekday: 4, hour, minute };
    case 'custom':
      return { every, cron: cronOf(former) };
  }
}

/** Rust's forced wipe: the first Thursday of each month, in the evening of London. */
export const forcedWipe = {
  pattern: { every: 'monthWeekday', nth: 1, weekday: 4, hour: 19, minute: 0 },
  timeZone: 'Europe/London',
} as const satisfies { pattern: Pattern; timeZone: string };
