// What the calendar shows, as its address says.
import * as v from 'valibot';
import { actionKinds } from '../schedules/schedule.ts';
import { isDay, views } from './calendar-range.ts';
import { anyOf, oneOf, text, valueOr } from '../shared/address-values.ts';

/** Without a date, the calendar shows today. */
export const firstSearch = { view: 'month', date: '', server: '', kind: '' } as const;

export const calendarSearch = v.object({
  view: oneOf(views, 'month'),
  date: valueOr(v.pipe(v.string(), v.check(isDay)), ''),
  server: text,
  kind: anyOf(actionKinds),
});

export type CalendarSearch = v.InferOutput<typeof calendarSearch>;
