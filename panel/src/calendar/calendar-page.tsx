// The calendar: wipes and runs of schedules of all servers, by month, by week, or as a list.
import { ActionIcon, Button, Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useNow } from '@gantry/ui/use-now.ts';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { Failure } from '../shared/loaded.tsx';
import { useFormats } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { useServerNames } from '../shared/server-names.ts';
import { actionKinds } from '../schedules/schedule.ts';
import { viewerZone } from '../schedules/zoned-times.ts';
import { localeOf } from '../texts/languages.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';
import classes from './calendar.module.css';
import {
  dateOf,
  dayKey,
  firstWeekday,
  isDay,
  moved,
  rangeOf,
  views,
  type CalendarRange,
  type View,
} from './calendar-range.ts';
import type { CalendarSearch } from './calendar-search.ts';
import { DayColumns } from './day-columns.tsx';
import { DayList } from './day-list.tsx';
import { byDay } from './entries.ts';
import { MonthGrid } from './month-grid.tsx';
import { useEntries, type Partly } from './use-entries.ts';

const route = getRouteApi('/frame/licensed/calendar');

/** Runs that have begun are no longer to come. */
const everyMs = 30_000;
const phone = '(max-width: 720px)';

export function CalendarPage() {
  const t = useTexts('calendar');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const locale = localeOf(useLanguage());
  const isPhone = useMediaQuery(phone, window.matchMedia(phone).matches);
  const now = useNow(true, everyMs);
  const { view } = search;
  const date = useMemo(() => dateOf(search.date === '' ? dayKey(serverNow()) : search.date), [search.date]);
  const range = useMemo(() => rangeOf(view, date, firstWeekday(locale)), [view, date, locale]);
  const { entries, partly, isLoading, error, retry } = useEntries(range, search, now);
  const days = useMemo(() => byDay(entries), [entries]);
  const set = useCallback(
    (change: Partial<CalendarSearch>) => void navigate({ search: (former) => ({ ...former, ...change }) }),
    [navigate],
  );
  const shown = { range, days, today: dayKey(now) };
  return (
    <Page title={t('title')} lead={t('lead', { zone: viewerZone() })}>
      <Toolbar search={search} date={date} set={set} range={range} />
      {error !== null && <Failure error={error} retry={retry} />}
      <div aria-busy={isLoading} className={classes.view}>
        {isPhone || view === 'list' ? (
          <DayList {...shown} isLoading={isLoading} />
        ) : view === 'week' ? (
          <DayColumns {...shown} />
        ) : (
          <MonthGrid {...shown} onDay={(day) => set({ view: 'week', date: day })} />
        )}
      </div>
      {partly.length > 0 && <PartlyShown partly={partly} />}
    </Page>
  );
}

interface ToolbarProps {
  search: CalendarSearch;
  date: Date;
  range: CalendarRange;
  set: (change: Partial<CalendarSearch>) => void;
}

function Toolbar({ search, date, range, set }: ToolbarProps) {
  const t = useTexts('calendar');
  const schedules = useTexts('schedules');
  const locale = localeOf(useLanguage());
  const { choices } = useServerNames();
  const { view } = search;
  const turns = [
    { by: -1, label: t('previous'), Icon: ChevronLeft },
    { by: 1, label: t('next'), Icon: ChevronRight },
  ] as const;
  return (
    <div className={classes.toolbar}>
      <Group gap={6} wrap="nowrap">
        {turns.map(({ by, label, Icon }) => {
          const day = dayKey(moved(view, date, by));
          return (
            <ActionIcon
              key={by}
              variant="default"
              size={36}
              aria-label={label}
              disabled={!isDay(day)}
              onClick={() => set({ date: day })}
            >
              <Icon size={18} aria-hidden="true" />
            </ActionIcon>
          );
        })}
        <Button variant="default" onClick={() => set({ date: '' })}>
          {t('today')}
        </Button>
      </Group>
      <h2 className={classes.period} aria-live="polite">
        {periodOf(view, date, range, locale)}
      </h2>
      <Group gap={8} className={classes.filters ?? ''}>
        {choices.length > 1 && (
          <NativeSelect
            aria-label={schedules('columns.server')}
            value={search.server}
            data={[{ value: '', label: schedules('anyServer') }, ...choices]}
            onChange={({ currentTarget }) => set({ server: currentTarget.value })}
          />
        )}
        <NativeSelect
          aria-label={t('kind')}
          value={search.kind}
          data={[
            { value: '', label: t('anyKind') },
            ...actionKinds.map((value) => ({ value, label: schedules(`kinds.${value}`) })),
          ]}
          onChange={({ currentTarget }) => set({ kind: currentTarget.value as CalendarSearch['kind'] })}
        />
        <SegmentedControl
          aria-label={t('view')}
          className={classes.views ?? ''}
          value={view}
          data={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          onChange={(value) => set({ view: value })}
        />
      </Group>
    </div>
  );
}

function periodOf(view: View, date: Date, { days }: CalendarRange, locale: string): string {
  const [first = date, last = date] = [days[0], days.at(-1)];
  return view === 'week'
    ? new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(
        first,
        last,
      )
    : new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }).format(date);
}

/** Names what the calendar leaves out. */
function PartlyShown({ partly }: { partly: readonly Partly[] }) {
  const t = useTexts('calendar');
  const formats = useFormats();
  return (
    <Section title={t('partly.title')} lead={t('partly.lead')}>
      <ul className={classes.partly}>
        {partly.map(({ schedule: { id, name }, side, atMs }) => (
          <li key={`${id} ${side}`}>
            <Link to="/schedules/$scheduleId" params={{ scheduleId: id }}>
              {name}
            </Link>{' '}
            <span className="dim">{t(`partly.${side}`, { time: formats.dateTime(atMs) })}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
