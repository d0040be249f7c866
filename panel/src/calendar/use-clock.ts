// The time of day in the viewer's time zone, without seconds.
import { useMemo } from 'react';
import { localeOf } from '../texts/languages.ts';
import { useLanguage } from '../texts/texts.ts';

export function useClock(): (atMs: number) => string {
  const language = useLanguage();
  return useMemo(() => {
    const locale = localeOf(language);
    const exact = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
    const hour = new Intl.DateTimeFormat(locale, { hour: 'numeric' });
    // "3 AM" is clear without minutes, "03" is not.
    const isShort = exact.resolvedOptions().hour12 === true;
    return (atMs) => (isShort && new Date(atMs).getMinutes() === 0 ? hour : exact).format(atMs);
  }, [language]);
}
