// A week as columns, with everything on each day.
import classes from './calendar.module.css';
import { dayKey } from './calendar-range.ts';
import { useDayNames, type DaysProps } from './days.ts';
import { EntryLink } from './entry-link.tsx';

export function DayColumns({ range, days, today }: DaysProps) {
  const name = useDayNames({ weekday: 'short', day: 'numeric', month: 'short' });
  return (
    <div className={classes.week}>
      {range.days.map((day) => {
        const key = dayKey(day);
        return (
          <section
            key={key}
            className={classes.column}
            data-today={key === today || undefined}
            aria-label={name(day)}
          >
            <h3 className={classes.columnName}>{name(day)}</h3>
            <ul className={classes.entries}>
              {(days.get(key) ?? []).map((entry) => (
                <li key={entry.key}>
                  <EntryLink entry={entry} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
