// The days that have something, under each other.
import { CalendarDays } from 'lucide-react';
import { Skeleton } from '@mantine/core';
import { EmptyState } from '../shared/empty-state.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './calendar.module.css';
import { dayKey } from './calendar-range.ts';
import { useDayNames, type DaysProps } from './days.ts';
import { EntryLink } from './entry-link.tsx';

export function DayList({ range, days, today, isLoading }: DaysProps & { isLoading: boolean }) {
  const t = useTexts('calendar');
  const name = useDayNames({ weekday: 'long', day: 'numeric', month: 'long' });
  const shown = range.days.filter((day) => days.has(dayKey(day)));
  if (shown.length === 0 && isLoading) return <Skeleton height={120} />;
  if (shown.length === 0)
    return (
      <EmptyState icon={CalendarDays} title={t('empty.title')}>
        {t('empty.detail')}
      </EmptyState>
    );
  return (
    <div className={classes.list}>
      {shown.map((day) => {
        const key = dayKey(day);
        return (
          <section key={key} data-today={key === today || undefined} aria-label={name(day)}>
            <h3 className={classes.listDay}>
              {name(day)}
              {key === today && <span className={classes.todayMark}>{t('today')}</span>}
            </h3>
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
