// What the calendar shows, as its address says.
import * as v from 'valibot';
import { actionKinds } from '../schedules/schedule.ts';
import { isDay, views } from './calendar-range.ts';

/** Without a date, the calendar shows today. */
export const firstSearch = { view: 'month', date: '', server: '', kind: '' } as const;

export const calendarSearch = v.object({
  view: v.optional(v.fallback(v.picklist(views), 'month'), 'month'),
  date: v.optional(v.fallback(v.pipe(v.string(), v.check(isDay)), ''), ''),
  server: v.optional(v.fallback(v.string(), ''), ''),
  kind: v.optional(v.fallback(v.picklist(['', ...actionKinds]), ''), ''),
});

export type CalendarSearch = v.InferOutput<typeof calendarSearch>;
