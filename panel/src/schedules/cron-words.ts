// A cron expression in words of the panel's language.
import cronstrue from 'cronstrue';
import 'cronstrue/locales/de';
import { useCallback } from 'react';
import { localeOf } from '../texts/languages.ts';
import { useLanguage } from '../texts/texts.ts';

/** Returns the expression itself where words cannot be found. */
export function useCronWords(): (cron: string) => string {
  const language = useLanguage();
  return useCallback(
    (cron) => {
      const { hour12 } = new Intl.DateTimeFormat(localeOf(language), { hour: 'numeric' }).resolvedOptions();
      const words = cronstrue.toString(cron, {
        locale: language,
        // A time alone does not say that it is every day.
        verbose: /^\S+ [\d,-]+ \* \* \*$/.test(cron),
        use24HourTimeFormat: hour12 !== true,
        throwExceptionOnParseError: false,
      });
      // It knows neither "+" nor every fault, and returns a remark about the error then.
      return /^An error occurred|undefined|\+/.test(words) ? cron : words;
    },
    [language],
  );
}
