// Computes the announcements before a scheduled run: their texts, shared with wipes, and their times.
import type { Schemas } from '../../platform-contract/types.ts';
import type { Schedule } from '../../entities/index.ts';
import type { DueTimes } from './due-times.ts';

type Action = Schemas['ScheduleAction'];
export type Countdown = Schemas['ScheduleCountdown'];

export interface Announcement {
  at: Date;
  /** The announced run. */
  runAt: Date;
  text: string;
  /** After this time the announcement would no longer be true. */
  latestAt: Date;
}

const defaultMessages = {
  restart: 'The server restarts in {time}.',
  stop: 'The server stops in {time}.',
} as const;
const maxLateMs = 30_000;
const minLateMs = 2_000;

export const countdownOf = (action: Action): Countdown | undefined =>
  action.kind === 'restart' || action.kind === 'stop' ? action.countdown : undefined;

/** Returns the action as it is stored, with announcements from first to last. */
export function ordered(action: Action): Action {
  const countdown = countdownOf(action);
  if (countdown === undefined) return action;
  const announce_before_seconds = countdown.announce_before_seconds.toSorted((a, b) => b - a);
  return { ...action, countdown: { ...countdown, announce_before_seconds } } as Action;
}

/** Returns the announcements of that run later than `after`, earliest first. */
export function announcementsOf(action: Action, runAt: Date, after: Date): Announcement[] {
  const countdown = countdownOf(action);
  if (countdown === undefined) return [];
  const message = countdown.message ?? defaultMessages[action.kind === 'stop' ? 'stop' : 'restart'];
  return countdown.announce_before_seconds
    .map((seconds) => {
      const atMs = runAt.getTime() - seconds * 1000;
      const lateMs = Math.min(maxLateMs, Math.max(minLateMs, seconds * 100));
      const text = countdownText(message, seconds);
      return { at: new Date(atMs), runAt, text, latestAt: new Date(atMs + lateMs) };
    })
    .filter(({ at }) => at > after)
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Returns the announcements of several consecutive runs. No run is announced before the previous run. */
export function announcementsOfRuns(action: Action, runs: readonly Date[], after: Date): Announcement[] {
  return runs.flatMap((runAt, index) => announcementsOf(action, runAt, runs[index - 1] ?? after));
}

type Settings = Pick<Schedule, 'action' | 'cron' | 'timeZone'> & {
  isEnabled?: boolean | undefined;
  announcedUntil?: Date | null | undefined;
};

/** Returns the next run and the next announcement after that moment; both are null while the schedule is disabled. */
export function dueAfter(
  moment: Date,
  settings: Settings,
  dueTimes: DueTimes,
): { nextRunAt: Date | null; nextAnnouncementAt: Date | null } {
  const [runAt] = settings.isEnabled === false ? [] : dueTimes.after(moment, settings);
  if (runAt === undefined) return { nextRunAt: null, nextAnnouncementAt: null };
  return { nextRunAt: runAt, nextAnnouncementAt: nextAnnouncementAt(settings, runAt, moment) };
}

export function nextAnnouncementAt(
  { action, announcedUntil }: Settings,
  runAt: Date,
  moment: Date,
): Date | null {
  const after = announcedUntil && announcedUntil > moment ? announcedUntil : moment;
  return announcementsOf(action, runAt, after)[0]?.at ?? null;
}

/** The maximum length of an announcement. */
const maxTextLength = 500;
/** A lone surrogate that truncation left; the database could not store it. */
const halfCharacter = /\p{Surrogate}$/u;

const units = (['hour', 'minute', 'second'] as const).map(
  (unit) => new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }),
);

/** "1 hour 30 minutes". */
export function inWords(seconds: number): string {
  const counts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return counts.flatMap((count, index) => (count === 0 ? [] : (units[index]?.format(count) ?? []))).join(' ');
}

/** The message with the remaining time in place of its placeholder, or appended. */
function countdownText(message: string, seconds: number): string {
  const time = inWords(seconds);
  const text = message.includes('{time}')
    ? message.replaceAll('{time}', () => time)
    : `${message} (in ${time})`;
  return text.slice(0, maxTextLength).replace(halfCharacter, '');
}
