// Previews the runs and announcements of a schedule without creating one.
import type { Query } from '../../platform-contract/types.ts';
import { invalidField } from '../../errors.ts';
import { announcementsOfRuns, type Announcement, type Countdown } from './countdown.ts';
import type { DueTimes } from './due-times.ts';

/** The contract's limits for stored countdowns. */
const minBeforeSeconds = 5;
const maxBeforeSeconds = 86_400;

export interface SchedulePreview {
  runs: Date[];
  announcements: Announcement[];
}

export function previewOf(
  query: Query<'previewSchedule'> & { count: number },
  now: Date,
  dueTimes: DueTimes,
): SchedulePreview {
  const timing = { cron: query.cron, timeZone: query.time_zone };
  dueTimes.check(timing, 'query');
  const countdown = previewedCountdown(query);
  const runs = dueTimes.after(now, timing, query.count);
  const announcements =
    countdown === undefined ? [] : announcementsOfRuns({ kind: 'restart', countdown }, runs, now);
  return { runs, announcements };
}

/** Returns the requested countdown; throws, naming the parameter, when no schedule could have it. */
function previewedCountdown({
  announce_before_seconds: list,
  message,
}: Query<'previewSchedule'>): Countdown | undefined {
  if (list === undefined) return undefined;
  const announce_before_seconds = list.split(',').map(Number);
  const isAllowed =
    new Set(announce_before_seconds).size === announce_before_seconds.length &&
    announce_before_seconds.every((seconds) => seconds >= minBeforeSeconds && seconds <= maxBeforeSeconds);
  if (!isAllowed)
    throw invalidField({
      in: 'query',
      pointer: '/announce_before_seconds',
      detail: `must be different numbers from ${minBeforeSeconds} to ${maxBeforeSeconds}`,
    });
  return { announce_before_seconds, ...(message !== undefined && { message }) };
}
