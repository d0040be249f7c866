// The days that a view of the calendar shows, in the viewer's time zone.
export const views = ['month', 'week', 'list'] as const;

export type View = (typeof views)[number];

export interface CalendarRange {
  /** Midnights of the days. */
  days: readonly Date[];
  fromMs: number;
  /** The end of the last day. */
  untilMs: number;
  /** The month of the view; days of its neighbours fill the first and the last week. */
  month: number;
}

const two = (value: number) => String(value).padStart(2, '0');

/** A day as the address has it. */
export const dayKey = (at: Date | number): string => {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

/** Whether the calendar has this day: one that exists, of this century. */
export const isDay = (key: string): boolean => /^20\d\d-\d\d-\d\d$/.test(key) && dayKey(dateOf(key)) === key;

export function dateOf(key: string): Date {
  const [year = Number.NaN, month = 1, day = 1] = key.split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** Days of different lengths are counted, not hours. */
const plusDays = (date: Date, days: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** Monday is 1 and Sunday is 7. */
export function firstWeekday(locale: string): number {
  const { getWeekInfo } = Intl.Locale.prototype as { getWeekInfo?: () => { firstDay: number } };
  return getWeekInfo?.call(new Intl.Locale(locale)).firstDay ?? 1;
}

export function rangeOf(view: View, date: Date, firstDay: number): CalendarRange {
  const first = view === 'week' ? date : new Date(date.getFullYear(), date.getMonth(), 1);
  const last = view === 'week' ? date : new Date(date.getFullYear(), date.getMonth() + 1, 0);
  // A list needs no whole weeks.
  const from = view === 'list' ? first : startOfWeek(first, firstDay);
  const until = view === 'list' ? plusDays(last, 1) : plusDays(startOfWeek(last, firstDay), 7);
  const days: Date[] = [];
  for (let day = from; day < until; day = plusDays(day, 1)) days.push(day);
  return { days, fromMs: from.getTime(), untilMs: until.getTime(), month: date.getMonth() };
}

const startOfWeek = (date: Date, firstDay: number): Date =>
  plusDays(date, -((date.getDay() - firstDay + 7) % 7));

/** The same view, one step away. */
export const moved = (view: View, date: Date, by: 1 | -1): Date =>
  view === 'week' ? plusDays(date, 7 * by) : new Date(date.getFullYear(), date.getMonth() + by, 1);
