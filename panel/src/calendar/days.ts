// What each view of the calendar is given, and the names of its days.
import { useMemo } from 'react';
import { localeOf } from '../texts/languages.ts';
import { useLanguage } from '../texts/texts.ts';
import type { CalendarRange } from './calendar-range.ts';
import type { Entry } from './entries.ts';

export interface DaysProps {
  range: CalendarRange;
  /** Entries by the key of their day. */
  days: ReadonlyMap<string, readonly Entry[]>;
  /** The key of the current day. */
  today: string;
}

export function useDayNames(options: Intl.DateTimeFormatOptions): (day: Date) => string {
  const language = useLanguage();
  const wanted = JSON.stringify(options);
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(
      localeOf(language),
      JSON.parse(wanted) as Intl.DateTimeFormatOptions,
    );
    return (day) => format.format(day);
  }, [language, wanted]);
}
