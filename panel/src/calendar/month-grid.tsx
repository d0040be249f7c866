// A month as weeks under each other.
import { useTexts } from '../texts/texts.ts';
import classes from './calendar.module.css';
import { dayKey } from './calendar-range.ts';
import { useDayNames, type DaysProps } from './days.ts';
import { EntryLink } from './entry-link.tsx';

/** More entries are a link to the week. */
const maxEntries = 4;

export function MonthGrid({ range, days, today, onDay }: DaysProps & { onDay: (day: string) => void }) {
  const t = useTexts('calendar');
  const weekday = useDayNames({ weekday: 'short' });
  const weeks = Array.from({ length: range.days.length / 7 }, (_, index) =>
    range.days.slice(index * 7, index * 7 + 7),
  );
  return (
    <table className={classes.month} aria-label={t('title')}>
      <thead>
        <tr>
          {range.days.slice(0, 7).map((day) => (
            <th key={day.getDay()} scope="col">
              {weekday(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={dayKey(week[0] ?? 0)}>
            {week.map((day) => {
              const key = dayKey(day);
              const entries = days.get(key) ?? [];
              // The link takes the place of an entry.
              const shown = entries.length > maxEntries ? entries.slice(0, maxEntries - 1) : entries;
              const rest = entries.length - shown.length;
              return (
                <td
                  key={key}
                  data-today={key === today || undefined}
                  data-outside={day.getMonth() !== range.month || undefined}
                >
                  <time dateTime={key} className={classes.dayNumber}>
                    {day.getDate()}
                  </time>
                  {entries.length > 0 && (
                    <ul className={classes.entries}>
                      {shown.map((entry) => (
                        <li key={entry.key}>
                          <EntryLink entry={entry} />
                        </li>
                      ))}
                      {rest > 0 && (
                        <li>
                          <button type="button" className={classes.more} onClick={() => onDay(key)}>
                            {t('more', { count: rest })}
                          </button>
                        </li>
                      )}
                    </ul>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
