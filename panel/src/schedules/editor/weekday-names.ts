// The names of the days of the week, Sunday first.
import { useMemo } from 'react';
import { localeOf } from '../../texts/languages.ts';
import { useLanguage } from '../../texts/texts.ts';

/** The fourth of January 1970 was a Sunday. */
const sunday = 3;
const dayMs = 86_400_000;

export function useWeekdayNames(width: 'long' | 'short'): string[] {
  const language = useLanguage();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(localeOf(language), { weekday: width, timeZone: 'UTC' });
    return Array.from({ length: 7 }, (_, day) => format.format((sunday + day) * dayMs));
  }, [language, width]);
}
