// When runs of schedules are announced to players, and with which text.
import fc from 'fast-check';
import { announcementsOf as announcementsOfWipe } from '../../agent/src/wipes/announcements.ts';
import {
  announcementsOf,
  announcementsOfRuns,
  dueAfter,
  ordered,
  inWords,
  type Countdown,
} from '../../src/services/schedules/countdown.ts';
import { DueTimes } from '../../src/services/schedules/due-times.ts';

const seconds = fc.integer({ min: 5, max: 86_400 });
const countdowns = fc.uniqueArray(seconds, { minLength: 1, maxLength: 10 });
const moments = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe');
const crons = fc.constantFrom('30 4 * * *', '0 2 * * SUN', '*/30 * * * *', '0 */6 * * *', '15 3 1 * *');

const restart = (announce_before_seconds: number[], message?: string) => {
  const countdown: Countdown = { announce_before_seconds, ...(message !== undefined && { message }) };
  return { kind: 'restart' as const, countdown };
};
const beforeMs = ({ at, runAt }: { at: Date; runAt: Date }) => runAt.getTime() - at.getTime();

it('each announcement is its seconds before its run, later than the run before it, and in order', () => {
  fc.assert(
    fc.property(crons, zones, moments, countdowns, (cron, timeZone, now, list) => {
      const runs = new DueTimes().after(now, { cron, timeZone }, 4);
      const all = announcementsOfRuns(restart(list), runs, now);
      const expected = runs.flatMap((runAt, index) => {
        const after = (runs[index - 1] ?? now).getTime();
        return list
          .toSorted((a, b) => b - a)
          .filter((before) => runAt.getTime() - before * 1000 > after)
          .map((before) => ({ runAt, before: before * 1000 }));
      });
      expect(all.map((one) => ({ runAt: one.runAt, before: beforeMs(one) }))).toEqual(expected);
      const times = all.map(({ at }) => at.getTime());
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
    { numRuns: 100 },
  );
});

it('stepping from one announcement to the next makes each once, for any clock', () => {
  fc.assert(
    fc.property(crons, zones, moments, countdowns, (cron, timeZone, now, list) => {
      const dueTimes = new DueTimes();
      const settings = { action: restart(list), cron, timeZone };
      const seen: number[] = [];
      let due = dueAfter(now, settings, dueTimes);
      const runAt = due.nextRunAt ?? new Date(NaN);
      while (due.nextAnnouncementAt !== null) {
        const announcedUntil: Date = due.nextAnnouncementAt;
        seen.push(runAt.getTime() - announcedUntil.getTime());
        // An edit by a process whose clock is behind.
        due = dueAfter(now, { ...settings, announcedUntil }, dueTimes);
        expect(due.nextRunAt).toEqual(runAt);
      }
      expect(seen).toEqual(announcementsOf(settings.action, runAt, now).map(beforeMs));
      expect(new Set(seen).size).toBe(seen.length);
    }),
    { numRuns: 100 },
  );
});

it('none is made later than a tenth of its time, with a minimum of two seconds and a maximum of thirty', () => {
  fc.assert(
    fc.property(seconds, moments, (before, runAt) => {
      const [one] = announcementsOf(restart([before]), runAt, new Date(0));
      const lateMs = (one?.latestAt.getTime() ?? NaN) - (one?.at.getTime() ?? NaN);
      expect(lateMs).toBe(Math.min(30_000, Math.max(2_000, before * 100)));
      expect(one?.latestAt.getTime()).toBeLessThan(runAt.getTime());
    }),
  );
});

it.each([
  ['the clock is set forward between', '2026-03-28T12:00:00Z', '2026-03-28T23:30:00.000Z'],
  ['the clock is set back between', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
])('two hours before are two hours where %s', (_what, from, at) => {
  const settings = { action: restart([7200]), cron: '30 3 * * *', timeZone: 'Europe/Berlin' };
  const { nextRunAt, nextAnnouncementAt } = dueAfter(new Date(from), settings, new DueTimes());
  expect(nextAnnouncementAt?.toISOString()).toBe(at);
  expect((nextRunAt?.getTime() ?? NaN) - Date.parse(at)).toBe(7_200_000);
});

it('a disabled schedule announces nothing, and neither do actions without a countdown', () => {
  const settings = { cron: '0 4 * * *', timeZone: 'UTC' };
  const nothing = { nextRunAt: null, nextAnnouncementAt: null };
  const now = new Date();
  const action = restart([60]);
  expect(dueAfter(now, { ...settings, action, isEnabled: false }, new DueTimes())).toEqual(nothing);
  for (const other of [{ kind: 'restart' }, { kind: 'backup', keep_last: 1 }] as const)
    expect(dueAfter(now, { ...settings, action: other }, new DueTimes()).nextAnnouncementAt).toBeNull();
});

it('the texts are those the agent uses for wipes, within the maximum length', () => {
  const part = fc.oneof(fc.constant('{time}'), fc.string({ unit: 'binary', maxLength: 20 }));
  const message = fc.array(part, { minLength: 1, maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(seconds, message, (before, text) => {
      const [ours] = announcementsOf(restart([before], text), new Date(), new Date(0));
      const [ofWipe] = announcementsOfWipe({ kind: 'map', countdown_seconds: before, message: text });
      expect(ours?.text).toBe(ofWipe?.text);
      expect(ours?.text.length).toBeLessThanOrEqual(500);
      expect(ours?.text.isWellFormed()).toBe(true);
    }),
  );
  expect([5, 60, 90, 3600, 3661, 86_400].map(inWords)).toEqual([
    '5 seconds',
    '1 minute',
    '1 minute 30 seconds',
    '1 hour',
    '1 hour 1 minute 1 second',
    '24 hours',
  ]);
  const usual = (kind: 'restart' | 'stop') =>
    announcementsOf({ ...restart([900]), kind }, new Date(), new Date(0))[0]?.text;
  expect([usual('restart'), usual('stop')]).toEqual([
    'The server restarts in 15 minutes.',
    'The server stops in 15 minutes.',
  ]);
});

it('is stored from the first announcement to the last', () => {
  expect(ordered(restart([10, 900, 60], 'x'))).toEqual(restart([900, 60, 10], 'x'));
  expect(ordered({ kind: 'restart' })).toEqual({ kind: 'restart' });
});
