// The name of a day or a month of the chart.
import { localeOf } from '../../texts/languages.ts';
import { isByMonth } from './revenue.ts';

export function periodName(start: Date, days: number, language: string): string {
  return new Intl.DateTimeFormat(
    localeOf(language),
    isByMonth(days) ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' },
  ).format(start);
}
